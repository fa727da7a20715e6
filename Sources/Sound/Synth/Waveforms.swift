/// What haptic patterns have ears hear and hands feel, worked out beforehand for the render thread to read. It only grows: a
/// waveform, once added, stays as it is. Owns the memory; whoever renders with it keeps the bank.
// Safe to share, because the render thread learns of a waveform by a command that is sent after it was added, through a ring
// that orders the two, and nobody changes it after.
public final class WaveformBank: @unchecked Sendable {
    public let sounds: Waveforms
    /// Nil without a transducer.
    public let touches: Waveforms?
    private var count = 0

    public init(hasTransducer: Bool) {
        sounds = Waveforms()
        touches = hasTransducer ? Waveforms() : nil
    }

    /// The next number's: what is heard, and what is felt where there is a transducer. False when the bank is full. Thread: one
    /// at a time, and not the render thread.
    public func add(sound: [Float], touch: [Float]?) -> Bool {
        guard count < Waveforms.capacity else { return false }
        sounds.put(sound, at: count)
        if let touches, let touch { touches.put(touch, at: count) }
        count += 1
        return true
    }

    deinit {
        sounds.deallocate()
        touches?.deallocate()
    }
}

/// Half a bank as the render thread sees it: plain bits.
// Safe to share for the reason for which the bank is.
public struct Waveforms: BitwiseCopyable, Equatable, @unchecked Sendable {
    private struct Entry {
        var samples: UnsafeMutablePointer<Float>?
        var count = 0
    }

    /// Over the life of a bank: as many as some hundred themes have.
    static var capacity: Int { @_noLocks @_noAllocation get { 1024 } }

    private let entries: UnsafeMutablePointer<Entry>

    fileprivate init() {
        entries = .allocate(capacity: Self.capacity)
        entries.initialize(repeating: Entry(), count: Self.capacity)
    }

    fileprivate func put(_ waveform: [Float], at number: Int) {
        guard !waveform.isEmpty else { return }
        let samples = UnsafeMutablePointer<Float>.allocate(capacity: waveform.count)
        samples.initialize(from: waveform, count: waveform.count)
        entries[number] = Entry(samples: samples, count: waveform.count)
    }

    fileprivate func deallocate() {
        for number in 0..<Self.capacity { entries[number].samples?.deallocate() }
        entries.deallocate()
    }

    /// Frames of waveform `number`; none if there is no such.
    @_noLocks @_noAllocation
    func length(_ number: Int) -> Int { number >= 0 && number < Self.capacity ? entries[number].count : 0 }

    /// Frame `age` of waveform `number`, which has so many.
    @inline(__always) @_noLocks @_noAllocation
    func sample(_ number: Int, _ age: Int) -> Float { entries[number].samples.unsafelyUnwrapped[age] }
}
