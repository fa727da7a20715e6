/// What haptic patterns have ears hear and hands feel, worked out beforehand for the render thread to read. Owns the memory;
/// whoever renders with it keeps the bank.
// Safe to share, because nothing in it ever changes.
public final class WaveformBank: @unchecked Sendable {
    /// Nil where no pattern makes a sound.
    public let sounds: Waveforms?
    /// Nil without a transducer.
    public let touches: Waveforms?

    /// The `index`th of each is then number `index`.
    public init(sounds: [[Float]] = [], touches: [[Float]]? = nil) {
        self.sounds = sounds.allSatisfy(\.isEmpty) ? nil : Waveforms(sounds)
        self.touches = touches.map { Waveforms($0) }
    }

    deinit {
        sounds?.deallocate()
        touches?.deallocate()
    }
}

/// Half a bank as the render thread sees it: plain bits.
// Safe to share, because what it points to never changes.
public struct Waveforms: BitwiseCopyable, Equatable, @unchecked Sendable {
    let count: Int
    private let samples: UnsafeMutablePointer<Float>
    /// And one more, where the last ends.
    private let starts: UnsafeMutablePointer<Int>

    fileprivate init(_ waveforms: [[Float]]) {
        count = waveforms.count
        samples = .allocate(capacity: max(1, waveforms.reduce(0) { $0 + $1.count }))
        starts = .allocate(capacity: count + 1)
        var end = 0
        for (index, waveform) in waveforms.enumerated() {
            (starts + index).initialize(to: end)
            (samples + end).initialize(from: waveform, count: waveform.count)
            end += waveform.count
        }
        (starts + count).initialize(to: end)
    }

    fileprivate func deallocate() {
        samples.deallocate()
        starts.deallocate()
    }

    /// Frames of waveform `number`.
    @_noLocks @_noAllocation
    func length(_ number: Int) -> Int { starts[number + 1] - starts[number] }

    /// Frame `age` of waveform `number`, which has so many.
    @inline(__always) @_noLocks @_noAllocation
    func sample(_ number: Int, _ age: Int) -> Float { samples[starts[number] &+ age] }
}
