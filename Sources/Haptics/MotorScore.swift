import Signals
import Units

/// A haptic pattern or a texture as effects of a force-feedback device, each to be started at its time.
public struct MotorScore: Equatable, Sendable {
    public struct Step: Equatable, Sendable {
        /// From the pattern's start.
        public var time: Seconds
        public var effect: MotorEffect

        public init(time: Seconds, effect: MotorEffect) {
            self.time = time
            self.effect = effect
        }
    }

    /// In the order of their times.
    public internal(set) var steps: [Step] = []
    /// A texture's: so long after its start it begins anew, until it is ended. Nil for a pattern, which is over by itself.
    public internal(set) var round: Seconds?

    let drive: MotorAbilities.Drive
    let gain: Double

    /// Nothing.
    init(for drive: MotorAbilities.Drive, gain: Double) {
        self.drive = drive
        self.gain = gain
    }

    /// `gain`, 0…1, makes up for a device that has no gain of its own.
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

    /// Of a rumble motor, in seconds: in less it hardly gets going. Ours.
    private static let shortestRumble = 0.03
    /// What a rumble motor follows of a curve, in seconds.
    private static let window = 0.04
    /// Straight pieces are no longer where the frequency changes, in seconds.
    private static let longestPiece = 0.1
    /// Strengths this near are the same to a hand.
    private static let likeness = 1.0 / 64

    // MARK: Taps

    /// As long as the transducer's burst is felt, three time constants; a motor fades by itself what a burst fades by.
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

    /// One effect has room for a rise or fall, a level part, and another rise or fall; what is more becomes several.
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
            // Just before the corner, since a control may jump there.
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

    /// Steps of a window's length, those that feel alike as one.
    private mutating func addWindows(_ shape: HapticShape) {
        var shape = shape
        let length = shape.length.rawValue
        var run: (start: Double, intensity: Double, sharpness: Double)?
        var start = 0.0
        while start < length {
            // No sliver at the end.
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

    /// A rumble device's heavy motor is round, the light one is crisp; between the two both turn.
    func drive(_ intensity: Double, _ sharpness: Double) -> MotorEffect.Drive {
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

    static func scaled(_ value: Double, _ most: Double) -> UInt16 { UInt16((max(0, min(1, value)) * most).rounded()) }
}

func milliseconds(_ seconds: Double) -> UInt16 {
    UInt16(max(1, min(Double(MotorEffect.longest), (seconds * 1000).rounded())))
}

private func + (time: Seconds, seconds: Double) -> Seconds { Seconds(time.rawValue + seconds) }
