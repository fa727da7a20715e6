import Fields
import Units

/// What a motor or transducer should do, in Core Haptics' terms, before any device is known.
public struct HapticPattern: Equatable, Sendable {
    public var events: [HapticEvent]
    /// What changes all events alike while the pattern plays, in no particular order.
    public var controls: [HapticControl]
    /// What is heard with it.
    public var sounds: [PatternSound]

    /// All curves of a pattern together, so that working it out takes no time to speak of.
    public static let mostPoints = 2_000

    /// Of a pattern that comes with an event, which has to be worked out on the way: events, and what changes them.
    public static let mostInline = 64

    /// Why it cannot come with an event; nil when it can.
    public var refusal: Fault? {
        let points = controls.reduce(0) { sum, control in
            if case .curve(let points) = control.shape { sum + points.count } else { sum + 1 }
        }
        if !sounds.isEmpty {
            return Fault(field: "pattern", expected: "no sounds, which only patterns of the settings have", found: "\(sounds.count)")
        }
        guard events.count > Self.mostInline || points > Self.mostInline else { return nil }
        let expected = "at most \(Self.mostInline) events, and as many parameters and points; the settings' patterns may have more"
        return Fault(field: "pattern", expected: expected, found: "\(events.count) events, \(points) parameters and points")
    }

    public init(events: [HapticEvent], controls: [HapticControl] = [], sounds: [PatternSound] = []) {
        self.events = events
        self.controls = controls
        self.sounds = sounds
    }

    /// What `parameter` is changed by at `time` from the pattern's start: what began last counts.
    public func control(_ parameter: HapticControl.Parameter, at time: Seconds) -> Double {
        var latest = Seconds(-1)
        var value = parameter.neutral
        for control in controls where control.parameter == parameter {
            guard let (since, now) = control.value(at: time), since >= latest else { continue }
            latest = since
            value = now
        }
        return value
    }
}

/// A tap, or a buzz that lasts.
public struct HapticEvent: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case transient
        case continuous(duration: Seconds)
    }

    /// From the pattern's start.
    public var time: Seconds
    public var kind: Kind
    /// How strong, 0…1.
    public var intensity: Double
    /// From round (0) to crisp (1).
    public var sharpness: Double
    public var envelope: HapticEnvelope

    public init(time: Seconds, kind: Kind, intensity: Double, sharpness: Double, envelope: HapticEnvelope = HapticEnvelope()) {
        self.time = time
        self.kind = kind
        self.intensity = intensity
        self.sharpness = sharpness
        self.envelope = envelope
    }
}

/// How a continuous event comes and goes. Times are Core Haptics' adjusters, 0 (shortest) to 1 (longest).
public struct HapticEnvelope: Equatable, Sendable {
    public var attack: Double
    public var decay: Double
    public var release: Double
    /// Whether it lasts for the event's duration, and then is released; if not, it decays when the attack is over.
    public var isSustained: Bool

    public init(attack: Double = 0, decay: Double = 0, release: Double = 0, isSustained: Bool = true) {
        self.attack = attack
        self.decay = decay
        self.release = release
        self.isSustained = isSustained
    }
}

/// What changes one parameter of all events, from some time on.
public struct HapticControl: Equatable, Sendable {
    public enum Parameter: String, CaseIterable, Sendable {
        /// Multiplied with the events' own.
        case intensity
        /// Added to the events' own.
        case sharpness, attack, decay, release
        /// Multiplied with the sounds' own.
        case volume
        /// Added to the sounds' own.
        case pitch

        public var neutral: Double { multiplies ? 1 : 0 }
        public var range: ClosedRange<Double> { multiplies ? 0...1 : -1...1 }
        private var multiplies: Bool { self == .intensity || self == .volume }
    }

    public enum Shape: Equatable, Sendable {
        /// From the control's time on.
        case jump(Double)
        /// Straight lines from point to point, and what the last one says after it.
        case curve([Point])
    }

    public struct Point: Equatable, Sendable {
        /// From the control's own time.
        public var time: Seconds
        public var value: Double

        public init(time: Seconds, value: Double) {
            self.time = time
            self.value = value
        }
    }

    public var parameter: Parameter
    /// From the pattern's start.
    public var time: Seconds
    public var shape: Shape

    public init(_ parameter: Parameter, time: Seconds, shape: Shape) {
        self.parameter = parameter
        self.time = time
        self.shape = shape
    }

    /// The value at `time` from the pattern's start, and since when this control has had a say; nil before that.
    func value(at time: Seconds) -> (since: Seconds, value: Double)? {
        switch shape {
        case .jump(let value): return time >= self.time ? (self.time, value) : nil
        case .curve(let points):
            // Summed up in the same way everywhere, so that no rounding puts a point before itself.
            func moment(_ point: Point) -> Double { self.time.rawValue + point.time.rawValue }
            guard let first = points.first, moment(first) <= time.rawValue else { return nil }
            let since = Seconds(moment(first))
            guard let next = points.firstIndex(where: { moment($0) > time.rawValue }) else {
                return (since, points[points.count - 1].value)
            }
            let (from, to) = (points[next - 1], points[next])
            let part = (time.rawValue - moment(from)) / (moment(to) - moment(from))
            return (since, from.value + part * (to.value - from.value))
        }
    }
}
