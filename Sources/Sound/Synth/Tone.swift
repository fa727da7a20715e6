import Signals
import Units

/// A sine, or several at whole multiples of its frequency. Its phase never jumps: it turns on in silence too.
struct Tone {
    private let rate: SampleRate
    private var fade: Int
    private let levelRamp: Int
    private var phase: UInt32 = 0
    private var pitch: Pitch
    private var gate = Ramp(at: 0)
    private var level: Ramp
    private var timbre: Timbre
    /// The one it begins with when it opens next.
    private var nextTimbre: Timbre

    /// `fade` is the gate's raised cosine. A level change takes 20 ms: short against a swipe, long against a period.
    @_noLocks @_noAllocation
    init(rate: SampleRate, fade: Seconds, partials: TonePartials) {
        self.rate = rate
        self.fade = Int(rate.frames(in: fade).rawValue)
        levelRamp = Int(rate.frames(in: .milliseconds(20)).rawValue)
        pitch = Pitch(increment: rate.phaseIncrement(Hertz(240)))
        level = Ramp(at: Decibels(-60).magnitude.rawValue)
        timbre = Timbre(partials)
        nextTimbre = timbre
    }

    /// From the next time on that it opens or closes.
    @_noLocks @_noAllocation
    mutating func setFade(_ fade: Seconds) { self.fade = Int(rate.frames(in: fade).rawValue) }

    /// From the next time on that it begins out of silence, where nothing clicks.
    @_noLocks @_noAllocation
    mutating func setPartials(_ partials: TonePartials) { nextTimbre = Timbre(partials) }

    @_noLocks @_noAllocation
    mutating func open() {
        if isSilent { timbre = nextTimbre }
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

    /// Its gate is shut.
    var isSilent: Bool {
        @_noLocks @_noAllocation get { gate.remaining == 0 && gate.target == 0 }
    }

    /// As if `count` frames had been written while it is silent.
    @_noLocks @_noAllocation
    mutating func rest(_ count: Int) {
        pitch.turn(&phase, by: count)
        level.advance(count)
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
                rest(frames)
            } else if !timbre.isSine {
                renderPartials(into: &out, at: index, count: frames, isSteady: steady)
            } else if steady {
                renderSteady(into: &out, at: index, count: frames, isSine: true)
            } else {
                renderMoving(into: &out, at: index, count: frames, isSine: true)
            }
            index += frames
        }
    }

    /// Apart, so that a sine is as quick as if there were nothing else.
    @inline(never) @_noLocks @_noAllocation
    private mutating func renderPartials(into out: inout MutableSpan<Float>, at start: Int, count: Int, isSteady: Bool) {
        if isSteady {
            renderSteady(into: &out, at: start, count: count, isSine: false)
        } else {
            renderMoving(into: &out, at: start, count: count, isSine: false)
        }
    }

    @inline(__always) @_noLocks @_noAllocation
    private func wave(_ phases: SIMD8<UInt32>, _ increments: SIMD8<UInt32>, isSine: Bool) -> SIMD8<Float> {
        isSine ? sine(phases) : timbre.samples(phases, increments)
    }

    @inline(__always) @_noLocks @_noAllocation
    private mutating func renderSteady(into out: inout MutableSpan<Float>, at start: Int, count: Int, isSine: Bool) {
        let increment = pitch.increment
        let increments = SIMD8<UInt32>(repeating: increment)
        let gain = gate.target * level.target
        var phases = SIMD8<UInt32>(truncatingIfNeeded: laneOffsets) &* increment &+ phase
        var done = 0
        while done + 8 <= count {
            let samples = wave(phases, increments, isSine: isSine) * gain
            for lane in 0..<8 { out[unchecked: start &+ done &+ lane] = samples[lane] }
            phases = phases &+ (increment &* 8)
            done += 8
        }
        if done < count {
            let samples = wave(phases, increments, isSine: isSine) * gain
            for lane in 0..<(count - done) { out[unchecked: start &+ done &+ lane] = samples[lane] }
        }
        phase = phase &+ increment &* UInt32(truncatingIfNeeded: count)
    }

    @inline(__always) @_noLocks @_noAllocation
    private mutating func renderMoving(into out: inout MutableSpan<Float>, at start: Int, count: Int, isSine: Bool) {
        var done = 0
        while done < count {
            let lanes = min(8, count - done)
            var phases = SIMD8<UInt32>(truncatingIfNeeded: laneOffsets) &* pitch.increment &+ phase
            var increments = SIMD8<UInt32>(repeating: pitch.increment)
            if pitch.isGliding {
                for lane in 0..<lanes {
                    phases[lane] = phase
                    increments[lane] = pitch.increment
                    pitch.turn(&phase, by: 1)
                }
            } else {
                pitch.turn(&phase, by: lanes)
            }
            let samples = wave(phases, increments, isSine: isSine) * (gate.next * level.next)
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
