import Units

/// Waveforms of a bank being played: what haptic patterns have hands feel, or ears hear. A function of each one's age, so blocks of
/// any size give the same samples.
struct WaveformVoices {
    private struct Voice {
        /// Of the bank; negative when there is none.
        var number = -1
        /// In frames; negative until it begins.
        var age = 0
        /// Since it was told to stop; negative if it was not.
        var fade = -1

        @_noLocks @_noAllocation
        init() {}

        @_noLocks @_noAllocation
        init(number: Int, age: Int) {
            self.number = number
            self.age = age
        }
    }

    /// Waveforms not begun because so many were played already.
    private(set) var refused: UInt64 = 0

    private static var capacity: Int { @_noLocks @_noAllocation get { 16 } }

    private let waveforms: Waveforms?
    private let fadeLength: Int
    private let delay: Int
    private var active = 0
    private var voices = InlineArray<16, Voice>(repeating: Voice())

    /// Everything is done `delay` frames later than it is told.
    @_noLocks @_noAllocation
    init(_ waveforms: Waveforms?, rate: SampleRate, delay: Int) {
        self.waveforms = waveforms
        fadeLength = Int(rate.frames(in: .stopTime).rawValue)
        self.delay = delay
    }

    /// Begins waveform `number`; nothing if there is none.
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

    /// All of it is over within the stop time.
    @_noLocks @_noAllocation
    mutating func stop() {
        for index in 0..<Self.capacity where voices[index].number >= 0 && voices[index].fade < 0 { voices[index].fade = 0 }
    }

    var areOver: Bool { @_noLocks @_noAllocation get { active == 0 } }

    /// Adds the next `count` frames to every `stride`th sample of `out` from `start` on.
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
