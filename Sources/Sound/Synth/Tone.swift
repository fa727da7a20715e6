import Signals
import Units

/// The tone: a sine, or several sines at whole multiples of its frequency. Its phase never jumps, because it goes on during silence.
struct Tone {
    private let rate: SampleRate
    private var fade: Int
    private let levelRamp: Int
    private var phase: UInt32 = 0
    private var pitch: Pitch
    private var gate = Ramp(at: 0)
    private var level: Ramp
    private var timbre: Timbre
    /// The timbre that the tone gets when it next begins after silence.
    private var nextTimbre: Timbre

    /// Creates a silent tone. `fade` is the duration of its fade-in and fade-out. A change of level takes 20 ms: short compared with a
    /// swipe, long compared with a period of the tone.
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

    /// Sets the duration of the next fade-in or fade-out.
    @_noLocks @_noAllocation
    mutating func setFade(_ fade: Seconds) { self.fade = Int(rate.frames(in: fade).rawValue) }

    /// Sets the partials that the tone gets when it next begins after silence. A change at that moment cannot click.
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

    /// Fades the tone out within `frames`, even if the theme's fade is longer.
    @_noLocks @_noAllocation
    mutating func stop(in frames: Int) {
        if gate.target != 0 || gate.remaining > frames { gate.head(for: 0, in: frames) }
    }

    /// Sets the pitch. A frequency that is not positive, or not a number, is ignored.
    @_noLocks @_noAllocation
    mutating func setPitch(_ frequency: Hertz, glide: Seconds) {
        guard frequency.rawValue > 0 else { return }
        pitch.head(for: rate.phaseIncrement(frequency), in: Int(rate.frames(in: glide).rawValue))
    }

    /// Sets the level, limited to full scale. A level that is not a number counts as silence.
    @_noLocks @_noAllocation
    mutating func setLevel(_ decibels: Decibels) {
        let magnitude = decibels.rawValue > -200 ? min(1, decibels.magnitude.rawValue) : 0
        // During silence nobody hears the change, so the tone begins at the new level next time.
        level.head(for: magnitude, in: isSilent ? 0 : levelRamp)
    }

    /// Whether the tone is silent, that is, faded out completely.
    var isSilent: Bool {
        @_noLocks @_noAllocation get { gate.remaining == 0 && gate.target == 0 }
    }

    /// Advances as if `count` silent frames had been written.
    @_noLocks @_noAllocation
    mutating func rest(_ count: Int) {
        pitch.turn(&phase, by: count)
        level.advance(count)
    }

    /// Writes `count` frames to `out`, from `start` on, replacing what is there.
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

    /// Renders a tone of several partials. This is a separate function, so that a plain sine stays fast.
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

/// The partials of the tone: sines at whole multiples of its frequency.
struct Timbre {
    private var count = 0
    private var ratios = InlineArray<8, UInt32>(repeating: 1)
    private var magnitudes = InlineArray<8, Float>(repeating: 0)

    /// Creates a timbre. Partials whose ratio or level is out of range are left out.
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

    /// Whether the tone has only one partial: a full-level sine at the tone's own frequency.
    var isSine: Bool {
        @_noLocks @_noAllocation get { count == 1 && ratios[0] == 1 && magnitudes[0] == 1 }
    }

    /// Returns the samples of a tone with these phases. `increments` are the advances of the phases, in 2⁻³² turns a frame.
    ///
    /// A partial at or above half the sample rate would be aliased. To avoid this, partials fade out from 0.35 to 0.45 of the rate,
    /// linearly in hertz. Each lane depends only on its own phase and increment, so the result has the same bits in whatever groups of
    /// eight the frames are computed.
    @inline(__always) @_noLocks @_noAllocation
    func samples(_ phases: SIMD8<UInt32>, _ increments: SIMD8<UInt32>) -> SIMD8<Float> {
        // The conversion to Int32 is safe, because increments are below 2³¹.
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

/// The tone's frequency, as the advance of its phase per frame. It is steady, or glides in equal musical intervals (geometrically).
struct Pitch {
    /// The phase's advance in 2⁻³² turns a frame.
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

    /// Glides to `target` within `frames`; with 0 frames, jumps there.
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

    /// Advances `phase` by `frames` frames. During a glide it goes frame by frame, so that the sum does not depend on the grouping of
    /// frames.
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
