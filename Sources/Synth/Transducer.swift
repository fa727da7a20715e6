import Units

/// The channel for an exciter or bass shaker: haptic patterns as waveforms, in step with the sound.
///
/// A function of each pattern's age, so blocks of any size give the same samples. Where patterns add up to more than the ceiling
/// they are held at it: what is felt is no purer for being limited smoothly.
struct Transducer {
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

    /// Patterns not begun because so many were felt already.
    private(set) var refused: UInt64 = 0

    private static var capacity: Int { @_noLocks @_noAllocation get { 16 } }

    private let waveforms: Waveforms?
    private let ceiling: Float
    private let fadeLength: Int
    private let latency: Int
    private var active = 0
    private var voices = InlineArray<16, Voice>(repeating: Voice())

    /// `latency`: so many frames later than it is told, as the sound is.
    @_noLocks @_noAllocation
    init(_ settings: EngineSettings, latency: Int) {
        waveforms = settings.waveforms
        ceiling = min(1, settings.ceiling.magnitude.rawValue)
        fadeLength = Int(settings.rate.frames(in: .stopTime).rawValue)
        self.latency = latency
    }

    /// Begins pattern `number`; nothing if there is none.
    @_noLocks @_noAllocation
    mutating func play(_ number: Int) {
        guard let waveforms, number >= 0, number < waveforms.count, waveforms.length(number) > 0 else { return }
        for index in 0..<Self.capacity where voices[index].number < 0 {
            voices[index] = Voice(number: number, age: -latency)
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

    /// Writes the next `count` frames to every `stride`th sample of `out` from `start` on.
    @_noLocks @_noAllocation
    mutating func render(into out: inout MutableSpan<Float>, at start: Int, stride: Int, count: Int) {
        for frame in 0..<count { out[start &+ frame &* stride] = 0 }
        guard active > 0, let waveforms else { return }
        for index in 0..<Self.capacity where voices[index].number >= 0 {
            add(&voices[index], of: waveforms, to: &out, at: start, stride: stride, count: count)
            if voices[index].number < 0 { active -= 1 }
        }
        for frame in 0..<count {
            let place = start &+ frame &* stride
            out[place] = max(-ceiling, min(ceiling, out[place]))
        }
    }

    @_noLocks @_noAllocation
    private func add(_ voice: inout Voice, of waveforms: Waveforms, to out: inout MutableSpan<Float>, at start: Int, stride: Int,
                     count: Int) {
        let length = waveforms.length(voice.number)
        for frame in 0..<count {
            // Told to stop later than it was begun, by as much as everything is late.
            let isFading = voice.fade >= latency
            let left = 1 - Float(voice.fade &- latency) / Float(fadeLength)
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
