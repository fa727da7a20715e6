/// Waveforms worked out beforehand, for the render thread to read: haptic patterns, for a transducer. Owns their memory; whoever
/// renders with `waveforms` keeps the bank.
// Safe to share, because nothing in it ever changes.
public final class WaveformBank: @unchecked Sendable {
    private let samples: UnsafeMutablePointer<Float>
    private let starts: UnsafeMutablePointer<Int>
    private let count: Int

    /// The `index`th of `waveforms` is then number `index`.
    public init(_ waveforms: [[Float]]) {
        count = waveforms.count
        let total = waveforms.reduce(0) { $0 + $1.count }
        samples = .allocate(capacity: max(1, total))
        starts = .allocate(capacity: count + 1)
        var end = 0
        for (index, waveform) in waveforms.enumerated() {
            (starts + index).initialize(to: end)
            (samples + end).initialize(from: waveform, count: waveform.count)
            end += waveform.count
        }
        (starts + count).initialize(to: end)
    }

    deinit {
        samples.deallocate()
        starts.deallocate()
    }

    /// For engines that do not outlive the bank.
    public var waveforms: Waveforms { Waveforms(samples: samples, starts: starts, count: count) }
}

/// A bank as the render thread sees it: plain bits.
// Safe to share, because what it points to never changes.
public struct Waveforms: BitwiseCopyable, Equatable, @unchecked Sendable {
    fileprivate let samples: UnsafePointer<Float>
    fileprivate let starts: UnsafePointer<Int>
    let count: Int

    fileprivate init(samples: UnsafePointer<Float>, starts: UnsafePointer<Int>, count: Int) {
        self.samples = samples
        self.starts = starts
        self.count = count
    }

    /// Frames of waveform `number`.
    @_noLocks @_noAllocation
    func length(_ number: Int) -> Int { starts[number + 1] - starts[number] }

    /// Frame `age` of waveform `number`, which has so many.
    @inline(__always) @_noLocks @_noAllocation
    func sample(_ number: Int, _ age: Int) -> Float { samples[starts[number] &+ age] }
}
