import Signals
import Units

/// One sounding texture: noise and a sine, shaped by the pulse, the breath and the fades; and the vibration that is felt with it.
///
/// Everything is computed in groups of eight frames. A group begins at an age of the texture that is a multiple of eight. Where a block
/// ends within a group, that group is computed twice, and each time only the needed frames are used.
struct TextureVoice {
    /// The texture's id; 0 while this voice is free.
    private(set) var id: UInt64 = 0
    private var age: UInt64 = 0
    private var gate = Ramp(at: 0)
    private var releaseLength = 1
    private var noise = NoiseBand()
    private var pulses = PulseTrain()
    private var isPulsing = false
    /// The frequency of the breath, in 2⁻³² cycles a frame.
    private var breathIncrement: UInt32 = 0
    private var breathDepth: Float = 0
    private var voiceIncrement: UInt32 = 0
    private var voiceMagnitude: Float = 0
    private var feelIncrement: UInt32 = 0
    private var intensity: Float = 0

    @_noLocks @_noAllocation
    init() {}

    @_noLocks @_noAllocation
    init(_ texture: Texture, id: UInt64, rate: SampleRate) {
        self.id = id
        gate.head(for: 1, in: max(1, Int(rate.frames(in: texture.attack).rawValue)))
        releaseLength = max(1, Int(rate.frames(in: texture.release).rawValue))
        let magnitude = min(1, texture.level.magnitude.rawValue)
        noise = NoiseBand(texture.noise, magnitude: Double(magnitude), seed: id, rate: rate)
        if let pulse = texture.pulse {
            pulses = PulseTrain(pulse, seed: id ^ 0x5055_4C53_4500_0000, rate: rate)
            isPulsing = true
        }
        if let breath = texture.breath, breath.period.rawValue > 0 {
            breathIncrement = rate.phaseIncrement(Hertz(1 / breath.period.rawValue))
            breathDepth = Float(breath.depth)
        }
        if let voice = texture.voice {
            voiceIncrement = rate.phaseIncrement(voice.frequency)
            // A sine's peak is √2 times its RMS.
            voiceMagnitude = min(1, magnitude * voice.level.magnitude.rawValue * 1.4142135)
        }
        if let touch = texture.touch {
            // As for haptic patterns: 80 Hz at sharpness 0, 250 Hz at 1, in equal ratios; log2(250 / 80) = 1.6438561897747.
            feelIncrement = rate.phaseIncrement(Hertz(80 * exp2(touch.sharpness * 1.6438561897747248)))
            intensity = Float(touch.intensity)
        }
    }

    var isActive: Bool { @_noLocks @_noAllocation get { id != 0 } }

    /// Whether the texture sounds, and is not fading out.
    var isHeld: Bool { @_noLocks @_noAllocation get { isActive && gate.target == 1 } }

    /// Starts the fade-out that the texture itself has.
    @_noLocks @_noAllocation
    mutating func release() { stop(in: releaseLength) }

    /// Fades the texture out within `frames`, even if its own fade-out is longer.
    @_noLocks @_noAllocation
    mutating func stop(in frames: Int) {
        if gate.target != 0 || gate.remaining > frames { gate.head(for: 0, in: frames) }
    }

    /// Adds `count` frames to `sound`, from `start` on. If `isFelt`, also adds the vibration to `felt`, from the beginning of `felt` on.
    @_noLocks @_noAllocation @_lifetime(sound: copy sound) @_lifetime(felt: copy felt)
    mutating func add(to sound: inout MutableSpan<Float>, at start: Int, count: Int, felt: inout MutableSpan<Float>, isFelt: Bool) {
        // The breath is loudest twice a period: once out, once in. Products of integer vectors are slow, so there is one here and none per
        // group.
        let breathSteps = SIMD8<UInt32>(truncatingIfNeeded: laneOffsets) &* (breathIncrement &* 2) &+ 0x4000_0000
        var done = 0
        while done < count {
            let first = Int(age & 7)
            var lanes = min(8 - first, count - done)
            if gate.remaining > 0 { lanes = min(lanes, gate.remaining) }
            let (heard, touched) = group(isFelt: isFelt, breathSteps)
            if lanes == 8 {
                // All eight frames at once, which is the usual case.
                let samples = gate.remaining == 0 ? heard : heard * gate.next
                for lane in 0..<8 { sound[unchecked: start &+ done &+ lane] += samples[lane] }
            } else {
                let ramp = gate.next
                for lane in 0..<lanes { sound[unchecked: start &+ done &+ lane] += heard[first &+ lane] * ramp[lane] }
            }
            if isFelt, intensity > 0 {
                let ramp = gate.next
                for lane in 0..<lanes { felt[unchecked: done &+ lane] += touched[first &+ lane] * ramp[lane] }
            }
            gate.advance(lanes)
            age &+= UInt64(lanes)
            done += lanes
            if age & 7 == 0 { advance() }
            if gate.remaining == 0, gate.target == 0 {
                self = TextureVoice()
                return
            }
        }
    }

    /// Returns the sound and the vibration of the group's eight frames, without the fades. `breathSteps` are the phases of the breath in
    /// the first group.
    @inline(__always) @_noLocks @_noAllocation
    private func group(isFelt: Bool, _ breathSteps: SIMD8<UInt32>) -> (heard: SIMD8<Float>, felt: SIMD8<Float>) {
        let base = UInt32(truncatingIfNeeded: age & ~7)
        let turns = SIMD8<UInt32>(truncatingIfNeeded: laneOffsets) &+ base
        var envelope = SIMD8<Float>(repeating: 1)
        if breathDepth > 0 { envelope -= breathDepth * (0.5 + 0.5 * sine(breathSteps &+ base &* (breathIncrement &* 2))) }
        let pulsed = isPulsing ? pulses.gains * envelope : envelope
        var heard = noise.samples * pulsed
        if voiceMagnitude > 0 { heard += sine(turns &* voiceIncrement) * voiceMagnitude * envelope }
        return (heard, isFelt && intensity > 0 ? sine(turns &* feelIncrement) * intensity * pulsed : SIMD8())
    }

    /// Moves on to the next group of eight frames.
    @inline(__always) @_noLocks @_noAllocation
    private mutating func advance() {
        noise.advance()
        if isPulsing { pulses.advance(isInhaling: UInt32(truncatingIfNeeded: age) &* breathIncrement >= 0x8000_0000) }
    }
}

/// The sounding textures: at most four, including those that are fading out.
struct TextureVoices {
    private let rate: SampleRate
    private var voices = InlineArray<4, TextureVoice>(repeating: TextureVoice())
    private var active = 0
    /// The number of textures that never began, because four others sounded.
    private(set) var refused: UInt64 = 0

    @_noLocks @_noAllocation
    init(rate: SampleRate) { self.rate = rate }

    /// Begins a texture. A texture that already sounds goes on unchanged.
    @_noLocks @_noAllocation
    mutating func begin(_ shape: Texture, id: UInt64) {
        var free = -1
        for index in voices.indices {
            if !voices[index].isActive {
                free = index
            } else if voices[index].id == id, voices[index].isHeld {
                return
            }
        }
        guard free >= 0 else {
            refused += 1
            return
        }
        voices[free] = TextureVoice(shape, id: id, rate: rate)
        active += 1
    }

    /// Starts a texture's fade-out.
    @_noLocks @_noAllocation
    mutating func end(id: UInt64) {
        for index in voices.indices where voices[index].id == id && voices[index].isHeld { voices[index].release() }
    }

    @_noLocks @_noAllocation
    mutating func stop(in frames: Int) {
        for index in voices.indices where voices[index].isActive { voices[index].stop(in: frames) }
    }

    var areOver: Bool { @_noLocks @_noAllocation get { active == 0 } }

    /// Adds `count` frames of all textures to `sound`, from `start` on. If `isFelt`, also adds their vibration to `felt`, from its
    /// beginning on.
    @_noLocks @_noAllocation @_lifetime(sound: copy sound) @_lifetime(felt: copy felt)
    mutating func add(to sound: inout MutableSpan<Float>, at start: Int, count: Int, felt: inout MutableSpan<Float>, isFelt: Bool) {
        guard active > 0 else { return }
        for index in voices.indices where voices[index].isActive {
            voices[index].add(to: &sound, at: start, count: count, felt: &felt, isFelt: isFelt)
            if !voices[index].isActive { active -= 1 }
        }
    }
}

/// Computes the gain that a texture's pulses give, eight frames at a time.
///
/// Each cycle is a raised cosine from trough to trough. The speed of a cycle, and whether it is left out, are decided at its first trough.
/// A change from cycles that are heard to cycles that are left out, or back, takes the first quarter of a cycle.
struct PulseTrain {
    /// The frequency of the pulses while the texture breathes out, in 2⁻³² cycles a frame; `inward` is the one while it breathes in.
    private let outward: Double
    private let inward: Double
    private let depth: Float
    private let jitter: Double
    private let gaps: Double
    private let seed: UInt64
    private var cycle: UInt64 = 0
    /// The phase at the group's first frame, in 2⁻³² cycles.
    private var phase: UInt32 = 0
    private var increment: UInt32 = 0
    /// The phases of the group's eight frames relative to the phase of its first frame, in 2⁻³² cycles.
    private var steps = SIMD8<UInt32>()
    /// The phase, in cycles, up to which a group may still have the gain of the cycle before. It is the phase that eight frames take,
    /// limited to 1/32…0.2.
    private var lead: Float = 0.03125
    /// 1 if the cycle is heard, 0 if it is left out; `wasHeard` says the same of the cycle before.
    private var isHeard: Float = 1
    private var wasHeard: Float = 1

    /// Creates a train that has no pulses.
    @_noLocks @_noAllocation
    init() {
        (outward, inward, depth, jitter, gaps, seed) = (0, 0, 0, 0, 0, 0)
    }

    @_noLocks @_noAllocation
    init(_ pulse: Texture.Pulse, seed: UInt64, rate: SampleRate) {
        outward = Double(rate.phaseIncrement(pulse.rate))
        inward = Double(rate.phaseIncrement(pulse.inhaled))
        depth = Float(pulse.depth)
        jitter = pulse.jitter
        gaps = pulse.gaps
        self.seed = seed
        begin(isInhaling: false)
        wasHeard = isHeard
    }

    @_noLocks @_noAllocation
    private mutating func begin(isInhaling: Bool) {
        let exact = isInhaling ? inward : outward
        increment = UInt32(exact * (1 + jitter * uniform(2 &* cycle, seed: seed)))
        steps = SIMD8<UInt32>(truncatingIfNeeded: laneOffsets) &* increment
        lead = min(0.2, max(0.03125, Float(increment) * 0x1p-29))
        wasHeard = isHeard
        isHeard = (uniform(2 &* cycle &+ 1, seed: seed) + 1) / 2 < gaps ? 0 : 1
        cycle &+= 1
    }

    /// The gains of the group's eight frames, 0…1.
    var gains: SIMD8<Float> {
        @inline(__always) @_noLocks @_noAllocation get {
            let phases = steps &+ phase
            let pulses = 0.5 - 0.5 * sine(phases &+ 0x4000_0000)
            let gains = pulses * depth + (1 - depth)
            guard wasHeard + isHeard < 2 else { return gains }
            // A cycle that begins within a group is only considered from the next group on: until `lead`, the gain is that of the cycle
            // before.
            let turned = floats(SIMD8<Int32>(truncatingIfNeeded: phases &>> 8)) * 0x1p-24
            let offset: SIMD8<Float> = (turned - lead) * (1 / (0.25 - lead))
            let progress = offset.clamped(lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: 1))
            let crossing: SIMD8<Float> = raisedCosine(progress) * (isHeard - wasHeard) + wasHeard
            let isNext = phases .< SIMD8<UInt32>(repeating: phase)
            return gains * crossing.replacing(with: isHeard, where: isNext)
        }
    }

    /// Moves on to the next group of eight frames.
    @inline(__always) @_noLocks @_noAllocation
    mutating func advance(isInhaling: Bool) {
        let next = phase &+ increment &* 8
        if next < phase { begin(isInhaling: isInhaling) }
        phase = next
    }
}
