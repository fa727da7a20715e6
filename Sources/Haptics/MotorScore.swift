import Signals
import Units

/// A haptic pattern or a texture in the form of effects of a force-feedback device, each with its start time.
public struct MotorScore: Equatable, Sendable {
    public struct Step: Equatable, Sendable {
        /// The time from the pattern's start to the step.
        public var time: Seconds
        public var effect: MotorEffect

        public init(time: Seconds, effect: MotorEffect) {
            self.time = time
            self.effect = effect
        }
    }

    /// The steps, ordered by time.
    public private(set) var steps: [Step] = []
    /// The time after which a texture's score starts again, until the texture is ended; nil for a pattern, which ends by itself.
    public private(set) var round: Seconds?

    private let drive: MotorAbilities.Drive
    private let gain: Double

    /// Creates an empty score.
    private init(for drive: MotorAbilities.Drive, gain: Double) {
        self.drive = drive
        self.gain = gain
    }

    /// Creates a pattern's score. `gain`, 0…1, is for a device that has no gain of its own.
    public init(_ pattern: HapticPattern, for drive: MotorAbilities.Drive, gain: Double = 1) {
        self.init(for: drive, gain: gain)
        for (event, shape) in zip(pattern.events, HapticShape.shapes(of: pattern)) {
            if case .transient = event.kind {
                addTap(shape)
            } else if drive == .rumble {
                addWindows(shape)
            } else {
                addLines(shape)
            }
        }
        steps.sort { $0.time < $1.time }
    }

    /// The shortest push of a rumble motor, in seconds: a shorter push would hardly start the motor. This is Thrum's own value.
    private static let shortestRumble = 0.03
    /// The length of the windows in which a rumble motor follows a curve, in seconds.
    private static let window = 0.04
    /// The longest straight piece while the frequency changes, in seconds.
    private static let longestPiece = 0.1
    /// Two strengths that differ by less than this feel the same.
    private static let likeness = 1.0 / 64

    // MARK: Taps

    /// Adds a tap. It lasts as long as a transducer's burst is felt: three time constants. A rumble motor fades by itself, as a burst does.
    private mutating func addTap(_ shape: HapticShape) {
        var shape = shape
        let intensity = shape.intensity(at: .zero)
        let sharpness = shape.sharpness(at: .zero)
        let felt = 4.5 / TransducerWaveform.frequency(sharpness).rawValue
        let length = milliseconds(drive == .rumble ? max(Self.shortestRumble, felt) : felt)
        let fade = drive == .rumble ? MotorEffect.Slope.none : MotorEffect.Slope(length: length, level: 0)
        add(drive(intensity, sharpness), at: shape.start, length: length, fade: fade)
    }

    // MARK: Buzzes of devices with envelopes

    private struct Line {
        var start: Double
        var end: Double
        var from: Double
        var to: Double
        var sharpness: Double

        func isLevel(_ other: Double) -> Bool { abs(from - other) < likeness && abs(to - other) < likeness }
    }

    /// Adds effects for the straight lines of a shape. One effect can hold a rise or fall, a level part, and another rise or fall. A longer
    /// shape becomes several effects.
    private mutating func addLines(_ shape: HapticShape) {
        var lines = Self.lines(shape)[...]
        while let first = lines.popFirst() {
            var attack: Line?
            var fade: Line?
            var end = first.end
            var level = first.from
            if first.to > first.from + Self.likeness {
                attack = first
                level = first.to
            } else if first.to < first.from - Self.likeness {
                fade = first
            }
            while fade == nil, let next = lines.first, abs(next.sharpness - first.sharpness) < Self.likeness,
                  abs(next.from - level) < Self.likeness, next.to < level + Self.likeness {
                lines.removeFirst()
                if !next.isLevel(level) { fade = next }
                end = next.end
            }
            func slope(_ line: Line?, _ far: Double?) -> MotorEffect.Slope {
                guard let line, let far else { return .none }
                return MotorEffect.Slope(length: milliseconds(line.end - line.start), level: Self.scaled(far * gain, 32_767))
            }
            guard level > Self.likeness else { continue }
            add(drive(level, first.sharpness), at: shape.start + first.start, length: milliseconds(end - first.start),
                attack: slope(attack, attack?.from), fade: slope(fade, fade?.to))
        }
    }

    private static func lines(_ shape: HapticShape) -> [Line] {
        var shape = shape
        var lines: [Line] = []
        let corners = shape.corners.map(\.rawValue)
        var from = shape.intensity(at: .zero)
        var sharpnessFrom = shape.sharpness(at: .zero)
        for (start, end) in zip(corners, corners.dropFirst()) where end > start {
            // Measured just before the corner, because a control may jump at the corner.
            let last = Seconds(max(start, end - 1e-9))
            var probe = shape
            let isEven = abs(probe.sharpness(at: last) - sharpnessFrom) < likeness
            let count = isEven ? 1 : Int(((end - start) / longestPiece).rounded(.up))
            for index in 1...count {
                func edge(_ index: Int) -> Double { start + (end - start) * Double(index) / Double(count) }
                let before = index == count ? last : Seconds(edge(index))
                let to = shape.intensity(at: before)
                let sharpnessTo = shape.sharpness(at: before)
                lines.append(Line(start: edge(index - 1), end: edge(index), from: from, to: to,
                                  sharpness: (sharpnessFrom + sharpnessTo) / 2))
                from = to
                sharpnessFrom = sharpnessTo
            }
            from = shape.intensity(at: Seconds(end))
            sharpnessFrom = shape.sharpness(at: Seconds(end))
        }
        return lines
    }

    // MARK: Buzzes of rumble motors

    /// Adds steps of a window's length each. Windows that feel alike are joined.
    private mutating func addWindows(_ shape: HapticShape) {
        var shape = shape
        let length = shape.length.rawValue
        var run: (start: Double, intensity: Double, sharpness: Double)?
        var start = 0.0
        while start < length {
            // The last window may be longer, so that no short piece is left at the end.
            let end = length - start < 1.5 * Self.window ? length : start + Self.window
            let middle = Seconds((start + end) / 2)
            let (intensity, sharpness) = (shape.intensity(at: middle), shape.sharpness(at: middle))
            if let current = run,
               max(abs(current.intensity - intensity), abs(current.sharpness - sharpness)) > 4 * Self.likeness {
                addRun(current, until: start, of: shape)
                run = nil
            }
            if run == nil { run = (start, intensity, sharpness) }
            start = end
        }
        if let run { addRun(run, until: length, of: shape) }
    }

    private mutating func addRun(_ run: (start: Double, intensity: Double, sharpness: Double), until end: Double, of shape: HapticShape) {
        guard run.intensity > Self.likeness else { return }
        add(drive(run.intensity, run.sharpness), at: shape.start + run.start, length: milliseconds(end - run.start))
    }

    // MARK: The kernel's units

    private mutating func add(_ drive: MotorEffect.Drive, at time: Seconds, length: UInt16, attack: MotorEffect.Slope = .none,
                              fade: MotorEffect.Slope = .none) {
        steps.append(Step(time: time, effect: MotorEffect(drive: drive, length: length, attack: attack, fade: fade)))
    }

    /// Returns the drive for an intensity and a sharpness. The heavy motor of a rumble device feels round, and the light one crisp; for
    /// values in between both turn.
    private func drive(_ intensity: Double, _ sharpness: Double) -> MotorEffect.Drive {
        let strength = intensity * gain
        return switch drive {
        case .sine:
            .sine(period: milliseconds(1 / TransducerWaveform.frequency(sharpness).rawValue), magnitude: Self.scaled(strength, 32_767))
        case .rumble:
            .rumble(strong: Self.scaled(strength * min(1, 2 - 2 * sharpness), 65_535),
                    weak: Self.scaled(strength * min(1, 2 * sharpness), 65_535))
        case .constant: .constant(level: Self.scaled(strength, 32_767))
        }
    }

    private static func scaled(_ value: Double, _ most: Double) -> UInt16 { UInt16((max(0, min(1, value)) * most).rounded()) }
}

private func milliseconds(_ seconds: Double) -> UInt16 {
    UInt16(max(1, min(Double(MotorEffect.longest), (seconds * 1000).rounded())))
}

private func + (time: Seconds, seconds: Double) -> Seconds { Seconds(time.rawValue + seconds) }

extension MotorScore {
    /// Creates a texture's score, which is repeated: one breath, or some seconds of a texture without a breath. A texture without a `touch`
    /// has no steps.
    ///
    /// Even pulses become a sine of the pulses' rate, which the device itself makes: one effect for each half of a breath, which rises and
    /// falls with it. If pulses are uneven or slow, or the device has no sine, each pulse is an effect, as strong as at the breath's peak.
    /// All pulses of a texture are the same effect, so that the device holds it in one slot. `gain` has the same meaning as for patterns.
    public init(_ texture: Texture, for drive: MotorAbilities.Drive, gain: Double = 1) {
        self.init(for: drive, gain: gain)
        guard let touch = texture.touch, touch.intensity > 0 else { return }
        let half = texture.breath.map { $0.period.rawValue / 2 } ?? Self.steadyRound
        if let pulse = texture.pulse, drive != .sine || pulse.jitter > 0 || pulse.gaps > 0 || pulse.isSlow {
            addPulses(pulse, touch, for: texture.breath == nil ? [half] : [half, half])
        } else {
            addHalf(texture.pulse?.rate, touch, texture.breath, at: 0, for: half)
            if texture.breath != nil { addHalf(texture.pulse?.inhaled, touch, texture.breath, at: half, for: half) }
            round = Seconds(texture.breath == nil ? half : 2 * half)
        }
    }

    /// The duration of the score of a texture without a breath, in seconds. None of its effects lasts longer.
    private static let steadyRound = 10.0

    /// Adds one half of a breath: a sine of the pulses' rate; or, for a texture without pulses, a steady push of the texture's sharpness.
    private mutating func addHalf(_ rate: Hertz?, _ touch: Texture.Feel, _ breath: Texture.Breath?, at time: Double, for half: Double) {
        let strength = if let rate, drive == .sine {
            MotorEffect.Drive.sine(period: milliseconds(1 / rate.rawValue), magnitude: Self.scaled(touch.intensity * gain, 32_767))
        } else {
            drive(touch.intensity, touch.sharpness)
        }
        var effect = MotorEffect(drive: strength, length: milliseconds(half))
        if let breath, drive != .rumble {
            let turn = Self.scaled(touch.intensity * gain * (1 - breath.depth), 32_767)
            effect.attack = .init(length: milliseconds(half / 2), level: turn)
            effect.fade = effect.attack
        }
        steps.append(Step(time: Seconds(time), effect: effect))
    }

    /// Adds whole pulses for breathing out, and then for breathing in. `halves` has the two durations in seconds; the pulses fill them
    /// roughly.
    private mutating func addPulses(_ pulse: Texture.Pulse, _ touch: Texture.Feel, for halves: [Double]) {
        let effect = pulseEffect(pulse, touch)
        var time = 0.0
        var cycle = 0
        for (half, rate) in zip(halves, [pulse.rate.rawValue, pulse.inhaled.rawValue]) {
            for _ in 0..<max(1, Int((half * rate).rounded())) {
                if Self.spread(cycle, by: 0.6180339887) >= pulse.gaps { steps.append(Step(time: Seconds(time), effect: effect)) }
                time += 1 / (rate * (1 + pulse.jitter * (2 * Self.spread(cycle, by: 0.7548776662) - 1)))
                cycle += 1
            }
        }
        round = Seconds(time)
    }

    /// Returns the effect of one pulse: a whole period of a sine, or a push. A push is the longer, the less deep the pulses are.
    private func pulseEffect(_ pulse: Texture.Pulse, _ touch: Texture.Feel) -> MotorEffect {
        let cycle = 1 / max(pulse.rate.rawValue, pulse.inhaled.rawValue)
        let push = milliseconds(cycle * (1 - pulse.depth / 2))
        switch drive {
        case .sine where !pulse.isSlow:
            let length = milliseconds(cycle)
            return MotorEffect(drive: .sine(period: length, magnitude: Self.scaled(touch.intensity * gain, 32_767)), length: length)
        case .rumble: return MotorEffect(drive: drive(touch.intensity, touch.sharpness), length: push)
        case .sine, .constant:
            let slope = MotorEffect.Slope(length: push / 2, level: 0)
            return MotorEffect(drive: drive(touch.intensity, touch.sharpness), length: push, attack: slope, fade: slope)
        }
    }

    /// Returns a number of 0…1 for each `index`: the fractional part of `index` times `step`, an irrational number. Over any range of
    /// indices, these numbers are evenly spread (Weyl).
    private static func spread(_ index: Int, by step: Double) -> Double {
        let value = Double(index) * step
        return value - value.rounded(.down)
    }
}

extension Texture.Pulse {
    /// Whether the pulses are slower than 10 Hz. A hand feels each of these pulses separately, and would hardly feel a sine that is so
    /// slow. This is Thrum's own value.
    fileprivate var isSlow: Bool { max(rate.rawValue, inhaled.rawValue) < 10 }
}
