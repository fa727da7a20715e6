import Units

/// The waveforms of haptic patterns, both sound and vibration, computed beforehand for the render thread to read. The bank only grows: once
/// added, a waveform never changes. The bank owns the memory, so every renderer that reads the waveforms must hold the bank.
// Safe to share: the render thread gets to know of a waveform by a command, which is sent after the waveform was added. The command goes
// through a ring, which orders the two. Afterwards nobody changes the waveform.
public final class WaveformBank: @unchecked Sendable {
    public let sounds: Waveforms
    /// The waveforms for a transducer; nil without a transducer.
    public let touches: Waveforms?
    private var count = 0

    public init(hasTransducer: Bool) {
        sounds = Waveforms()
        touches = hasTransducer ? Waveforms() : nil
    }

    /// Adds a pattern under the next free number. `sound` has its sound, and `touch` its vibration for a transducer; nil without one.
    /// Returns false when the bank is full. Thread: any but the render thread, one at a time.
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

/// One half of a bank, sound or vibration, as the render thread uses it: a plain pointer.
// Safe to share for the same reason as the bank.
public struct Waveforms: BitwiseCopyable, Equatable, @unchecked Sendable {
    private struct Entry {
        var samples: UnsafeMutablePointer<Float>?
        var count = 0
    }

    /// The largest number of waveforms that a bank ever holds, as many as some hundred themes have.
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

    /// Returns the number of frames of waveform `number`; 0 if there is no such waveform.
    @_noLocks @_noAllocation
    func length(_ number: Int) -> Int { number >= 0 && number < Self.capacity ? entries[number].count : 0 }

    /// Returns frame `age` of waveform `number`. The waveform must exist and be longer than that.
    @inline(__always) @_noLocks @_noAllocation
    func sample(_ number: Int, _ age: Int) -> Float { entries[number].samples.unsafelyUnwrapped[age] }
}

/// Plays waveforms of a bank. Each sample depends only on its age within the waveform, so blocks of any size give the same samples.
struct WaveformVoices {
    private struct Voice {
        /// The waveform's number in the bank; negative while this voice is free.
        var number = -1
        /// The age in frames; negative until the waveform begins.
        var age = 0
        /// The number of frames since the voice was told to stop; negative if it was not.
        var fade = -1

        @_noLocks @_noAllocation
        init() {}

        @_noLocks @_noAllocation
        init(number: Int, age: Int) {
            self.number = number
            self.age = age
        }
    }

    /// The number of waveforms that were left out, because 16 others were playing.
    private(set) var refused: UInt64 = 0

    private static var capacity: Int { @_noLocks @_noAllocation get { 16 } }

    private let waveforms: Waveforms?
    private let fadeLength: Int
    private let delay: Int
    private var active = 0
    private var voices = InlineArray<16, Voice>(repeating: Voice())

    /// Creates voices. Each of their waveforms begins `delay` frames after its command.
    @_noLocks @_noAllocation
    init(_ waveforms: Waveforms?, rate: SampleRate, delay: Int) {
        self.waveforms = waveforms
        fadeLength = Int(rate.frames(in: .stopTime).rawValue)
        self.delay = delay
    }

    /// Begins waveform `number`; does nothing if there is no such waveform.
    @_noLocks @_noAllocation
    mutating func play(_ number: Int) {
        guard let waveforms, waveforms.length(number) > 0 else { return }
        for index in 0..<Self.capacity where voices[index].number < 0 {
            voices[index] = Voice(number: number, age: -delay)
            active += 1
            return
        }
        refused += 1
    }

    /// Fades all waveforms out within `Seconds.stopTime`.
    @_noLocks @_noAllocation
    mutating func stop() {
        for index in 0..<Self.capacity where voices[index].number >= 0 && voices[index].fade < 0 { voices[index].fade = 0 }
    }

    var areOver: Bool { @_noLocks @_noAllocation get { active == 0 } }

    /// Adds the next `count` frames to `out`: to every `stride`th sample, from `start` on.
    @_noLocks @_noAllocation
    mutating func add(to out: inout MutableSpan<Float>, at start: Int, stride: Int, count: Int) {
        guard active > 0, let waveforms else { return }
        for index in 0..<Self.capacity where voices[index].number >= 0 {
            add(&voices[index], of: waveforms, to: &out, at: start, stride: stride, count: count)
            if voices[index].number < 0 { active -= 1 }
        }
    }

    @_noLocks @_noAllocation
    private func add(_ voice: inout Voice, of waveforms: Waveforms, to out: inout MutableSpan<Float>, at start: Int, stride: Int,
                     count: Int) {
        let length = waveforms.length(voice.number)
        for frame in 0..<count {
            let isFading = voice.fade >= delay
            let left = 1 - Float(voice.fade &- delay) / Float(fadeLength)
            if voice.age >= length || (isFading && left <= 0) {
                voice.number = -1
                return
            }
            if voice.age >= 0 {
                let gain = isFading ? left * left * (3 - 2 * left) : 1
                out[start &+ frame &* stride] += waveforms.sample(voice.number, voice.age) * gain
            }
            voice.age &+= 1
            if voice.fade >= 0 { voice.fade &+= 1 }
        }
    }
}
