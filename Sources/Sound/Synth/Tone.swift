import Signals
import Units

/// A sine, or several at whole multiples of its frequency. Its phase never jumps, because it advances in silence too.
struct Tone {
    private let rate: SampleRate
    private var fade: Int
    private let levelRamp: Int
    private var phase: UInt32 = 0
    private var pitch: Pitch
    private var gate = Ramp(at: 0)
    private var level: Ramp
    private var timbre: Timbre
    /// The timbre that the tone has when it next begins out of silence.
    private var nextTimbre: Timbre

    /// Creates a silent tone. `fade` is the duration of the gate's raised cosine. A level change takes 20 ms: short against a swipe, long
    /// against a period.
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

    /// Sets the fade for the next time that the tone opens or closes.
    @_noLocks @_noAllocation
    mutating func setFade(_ fade: Seconds) { self.fade = Int(rate.frames(in: fade).rawValue) }

    /// Sets the partials for the next time that the tone begins out of silence, where nothing clicks.
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

    /// Sets the pitch. Ignores a frequency that is not a number or not positive.
    @_noLocks @_noAllocation
    mutating func setPitch(_ frequency: Hertz, glide: Seconds) {
        guard frequency.rawValue > 0 else { return }
        pitch.head(for: rate.phaseIncrement(frequency), in: Int(rate.frames(in: glide).rawValue))
    }

    /// Sets the level, at most full scale. A level that is not a number counts as silence.
    @_noLocks @_noAllocation
    mutating func setLevel(_ decibels: Decibels) {
        let magnitude = decibels.rawValue > -200 ? min(1, decibels.magnitude.rawValue) : 0
        // Nobody hears a change while the gate is shut: let the next touch begin at the new level.
        level.head(for: magnitude, in: isSilent ? 0 : levelRamp)
    }

    /// Whether the tone is silent: its gate is shut.
    var isSilent: Bool {
        @_noLocks @_noAllocation get { gate.remaining == 0 && gate.target == 0 }
    }

    /// Advances as if `count` frames had been written in silence.
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

    /// Renders a tone of several partials. A function of its own, so that a sine is as fast as without them.
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

/// The partials of a tone: sines at whole multiples of its frequency.
struct Timbre {
    private var count = 0
    private var ratios = InlineArray<8, UInt32>(repeating: 1)
    private var magnitudes = InlineArray<8, Float>(repeating: 0)

    /// Leaves out partials that are out of range.
    @_noLocks @_noAllocation
    init(_ partials: TonePartials) {
        for index in 0..<max(0, min(partials.count, partials.partials.count)) {
            let partial = partials.partials[index]
            guard partial.ratio >= 1, partial.ratio <= 32, partial.level.rawValue > -200 else { continue }
            ratios[count] = UInt32(truncatingIfNeeded: partial.ratio)
            magnitudes[count] = min(1, partial.level.magnitude.rawValue)
            count += 1
        }
    }

    /// Whether the only partial is the tone itself.
    var isSine: Bool {
        @_noLocks @_noAllocation get { count == 1 && ratios[0] == 1 && magnitudes[0] == 1 }
    }

    /// Returns the samples of a tone with these phases, which advance by these increments, in 2⁻³² turns a frame.
    ///
    /// A partial at or above half the rate would fold back. So it fades out from 0.35 to 0.45 of the rate, linearly in hertz. Each lane
    /// follows from its own phase and increment alone, so any grouping of frames gives the same bits.
    @inline(__always) @_noLocks @_noAllocation
    func samples(_ phases: SIMD8<UInt32>, _ increments: SIMD8<UInt32>) -> SIMD8<Float> {
        // Increments are below 2³¹.
        let turns = floats(SIMD8<Int32>(truncatingIfNeeded: increments)) * 0x1p-32
        var sum = SIMD8<Float>(repeating: 0)
        for index in 0..<count {
            let ratio = ratios[index]
            let left = (SIMD8<Float>(repeating: 0.45) - turns * Float(ratio)) * 10
            let fade = left.clamped(lowerBound: SIMD8(repeating: 0), upperBound: SIMD8(repeating: 1))
            sum += sine(phases &* ratio) * (fade * magnitudes[index])
        }
        return sum
    }
}

/// The tone's frequency as its phase's advance per frame, steady or gliding geometrically (in equal musical steps).
struct Pitch {
    /// The phase's advance, in 2⁻³² turns per frame.
    private(set) var increment: UInt32
    private var target: UInt32
    private var exact: Double
    private var ratio = 1.0
    private var remaining = 0

    @_noLocks @_noAllocation
    init(increment: UInt32) {
        self.increment = increment
        target = increment
        exact = Double(increment)
    }

    var isGliding: Bool {
        @_noLocks @_noAllocation get { remaining > 0 }
    }

    /// Glides to `target` within `frames`; jumps for 0.
    @_noLocks @_noAllocation
    mutating func head(for target: UInt32, in frames: Int) {
        self.target = target
        remaining = frames
        if frames > 0, increment > 0, target > 0 {
            exact = Double(increment)
            ratio = exp2(log2(Double(target) / exact) / Double(frames))
        } else {
            remaining = 0
            increment = target
        }
    }

    /// Advances `phase` by `frames`; one frame at a time while gliding, so that any grouping adds up to the same.
    @inline(__always) @_noLocks @_noAllocation
    mutating func turn(_ phase: inout UInt32, by frames: Int) {
        var left = frames
        while left > 0, remaining > 0 {
            phase = phase &+ increment
            remaining -= 1
            exact *= ratio
            increment = remaining == 0 ? target : UInt32(exact)
            left -= 1
        }
        phase = phase &+ increment &* UInt32(truncatingIfNeeded: left)
    }
}
