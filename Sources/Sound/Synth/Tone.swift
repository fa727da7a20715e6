import Units

/// One sine whose phase never jumps: it turns on in silence too.
struct Tone {
    private let rate: SampleRate
    private var fade: Int
    private let levelRamp: Int
    private var phase: UInt32 = 0
    private var pitch: Pitch
    private var gate = Ramp(at: 0)
    private var level: Ramp

    /// `fade` is the gate's raised cosine. A level change takes 20 ms: short against a swipe, long against a period.
    @_noLocks @_noAllocation
    init(rate: SampleRate, fade: Seconds) {
        self.rate = rate
        self.fade = Int(rate.frames(in: fade).rawValue)
        levelRamp = Int(rate.frames(in: .milliseconds(20)).rawValue)
        pitch = Pitch(increment: rate.phaseIncrement(Hertz(240)))
        level = Ramp(at: Decibels(-60).magnitude.rawValue)
    }

    /// From the next time on that it opens or closes.
    @_noLocks @_noAllocation
    mutating func setFade(_ fade: Seconds) { self.fade = Int(rate.frames(in: fade).rawValue) }

    @_noLocks @_noAllocation
    mutating func open() {
        if gate.target != 1 { gate.head(for: 1, in: fade) }
    }

    @_noLocks @_noAllocation
    mutating func close() {
        if gate.target != 0 { gate.head(for: 0, in: fade) }
    }

    /// Closes within `frames`, however slow the theme's fade.
    @_noLocks @_noAllocation
    mutating func stop(in frames: Int) {
        if gate.target != 0 || gate.remaining > frames { gate.head(for: 0, in: frames) }
    }

    /// A frequency that is not a number or not positive is left alone.
    @_noLocks @_noAllocation
    mutating func setPitch(_ frequency: Hertz, glide: Seconds) {
        guard frequency.rawValue > 0 else { return }
        pitch.head(for: rate.phaseIncrement(frequency), in: Int(rate.frames(in: glide).rawValue))
    }

    /// At most full scale; what is not a number counts as silence.
    @_noLocks @_noAllocation
    mutating func setLevel(_ decibels: Decibels) {
        let magnitude = decibels.rawValue > -200 ? min(1, decibels.magnitude.rawValue) : 0
        // Nobody hears a change while the gate is shut: let the next touch begin at the new level.
        level.head(for: magnitude, in: isSilent ? 0 : levelRamp)
    }

    private var isSilent: Bool {
        @_noLocks @_noAllocation get { gate.remaining == 0 && gate.target == 0 }
    }

    /// Writes `count` frames to `out` from `start` on, over what was there.
    @_noLocks @_noAllocation
    mutating func render(into out: inout MutableSpan<Float>, at start: Int, count: Int) {
        var index = start
        let end = start + count
        while index < end {
            var frames = end - index
            if gate.remaining > 0 { frames = min(frames, gate.remaining) }
            if level.remaining > 0 { frames = min(frames, level.remaining) }
            let steady = gate.remaining == 0 && level.remaining == 0 && !pitch.isGliding
            if isSilent {
                for silent in index..<(index + frames) { out[unchecked: silent] = 0 }
                pitch.turn(&phase, by: frames)
                level.advance(frames)
            } else if steady {
                renderSteady(into: &out, at: index, count: frames)
            } else {
                renderMoving(into: &out, at: index, count: frames)
            }
            index += frames
        }
    }

    @inline(__always) @_noLocks @_noAllocation
    private mutating func renderSteady(into out: inout MutableSpan<Float>, at start: Int, count: Int) {
        let increment = pitch.increment
        let gain = gate.target * level.target
        var phases = SIMD8<UInt32>(truncatingIfNeeded: laneOffsets) &* increment &+ phase
        var done = 0
        while done + 8 <= count {
            let samples = sine(phases) * gain
            for lane in 0..<8 { out[unchecked: start &+ done &+ lane] = samples[lane] }
            phases = phases &+ (increment &* 8)
            done += 8
        }
        if done < count {
            let samples = sine(phases) * gain
            for lane in 0..<(count - done) { out[unchecked: start &+ done &+ lane] = samples[lane] }
        }
        phase = phase &+ increment &* UInt32(truncatingIfNeeded: count)
    }

    @inline(__always) @_noLocks @_noAllocation
    private mutating func renderMoving(into out: inout MutableSpan<Float>, at start: Int, count: Int) {
        var done = 0
        while done < count {
            let lanes = min(8, count - done)
            var phases = SIMD8<UInt32>(truncatingIfNeeded: laneOffsets) &* pitch.increment &+ phase
            if pitch.isGliding {
                for lane in 0..<lanes {
                    phases[lane] = phase
                    pitch.turn(&phase, by: 1)
                }
            } else {
                pitch.turn(&phase, by: lanes)
            }
            let samples = sine(phases) * (gate.next * level.next)
            if lanes == 8 {
                for lane in 0..<8 { out[unchecked: start &+ done &+ lane] = samples[lane] }
            } else {
                for lane in 0..<lanes { out[unchecked: start &+ done &+ lane] = samples[lane] }
            }
            gate.advance(lanes)
            level.advance(lanes)
            done += lanes
        }
    }
}
