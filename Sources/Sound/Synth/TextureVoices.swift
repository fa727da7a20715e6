import Signals
import Units

/// One texture that sounds: noise and a voice under pulse, breath and the fades at its ends, and the same as what is felt.
///
/// Computed in groups of eight frames that begin at multiples of eight in its own life; a block edge inside a group computes the group
/// twice and keeps what it needs.
struct TextureVoice {
    /// Of which texture it is; 0 where there is none.
    private(set) var id: UInt64 = 0
    private var age: UInt64 = 0
    private var gate = Ramp(at: 0)
    private var releaseLength = 1
    private var noise = NoiseBand()
    private var pulses = PulseTrain()
    private var isPulsing = false
    /// In 2⁻³² breaths a frame.
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
            // As of haptic patterns: 80 Hz at sharpness 0, 250 Hz at 1, in equal ratios; log2(250 / 80) = 1.6438561897747.
            feelIncrement = rate.phaseIncrement(Hertz(80 * exp2(touch.sharpness * 1.6438561897747248)))
            intensity = Float(touch.intensity)
        }
    }

    var isActive: Bool { @_noLocks @_noAllocation get { id != 0 } }

    /// Not on its way to its end.
    var isHeld: Bool { @_noLocks @_noAllocation get { isActive && gate.target == 1 } }

    /// Heads for its end, softly, as its texture has it.
    @_noLocks @_noAllocation
    mutating func release() { stop(in: releaseLength) }

    /// Over within `frames`.
    @_noLocks @_noAllocation
    mutating func stop(in frames: Int) {
        if gate.target != 0 || gate.remaining > frames { gate.head(for: 0, in: frames) }
    }

    /// Adds `count` frames to `sound` from `start` on, and if that is wanted to `felt` from its own start on.
    @_noLocks @_noAllocation
    mutating func add(to sound: inout MutableSpan<Float>, at start: Int, count: Int, felt: inout MutableSpan<Float>, isFelt: Bool) {
        // Two crests a period, one for each way. Products of vectors of integers take long, so there is none for each group.
        let breathSteps = SIMD8<UInt32>(truncatingIfNeeded: laneOffsets) &* (breathIncrement &* 2) &+ 0x4000_0000
        var done = 0
        while done < count {
            let first = Int(age & 7)
            var lanes = min(8 - first, count - done)
            if gate.remaining > 0 { lanes = min(lanes, gate.remaining) }
            let (heard, touched) = group(isFelt: isFelt, breathSteps)
            if lanes == 8 {
                // In one go, since that is how it mostly is.
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

    /// What is heard and felt in the group's eight frames, without the fades at its ends. `breathSteps` are the breath's phases in the
    /// first group.
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

    /// On to the next group.
    @inline(__always) @_noLocks @_noAllocation
    private mutating func advance() {
        noise.advance()
        if isPulsing { pulses.advance(isInhaling: UInt32(truncatingIfNeeded: age) &* breathIncrement >= 0x8000_0000) }
    }
}
