import Fields
import Units

/// A haptic pattern in the terms of Core Haptics. It does not depend on the motor or transducer that will play it.
public struct HapticPattern: Equatable, Sendable {
    public var events: [HapticEvent]
    /// Controls that change all events alike while the pattern plays. Their order does not matter.
    public var controls: [HapticControl]
    /// Sounds that are played together with the pattern.
    public var sounds: [PatternSound]

    /// The largest number of points in all curves of a pattern together. It limits the time that computing the pattern takes.
    public static let mostPoints = 2_000

    /// The largest number of events, and of parameters and curve points, in a pattern that comes with an event and so is computed at once.
    public static let mostInline = 64

    /// The reason why the pattern must not come with an event; nil when it may.
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

    /// Returns the value of `parameter` at `time` from the pattern's start. Of several controls, the one that began last counts.
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

/// One event of a pattern: a tap, or a buzz that lasts.
public struct HapticEvent: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case transient
        case continuous(duration: Seconds)
    }

    /// The time from the start of the pattern to the start of the event.
    public var time: Seconds
    public var kind: Kind
    /// The strength, 0…1.
    public var intensity: Double
    /// The sharpness, from round (0) to crisp (1).
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

/// The attack, decay and release of a continuous event. As in Core Haptics, they are no durations, but numbers from 0 (shortest) to 1
/// (longest).
public struct HapticEnvelope: Equatable, Sendable {
    public var attack: Double
    public var decay: Double
    public var release: Double
    /// Whether the event keeps its strength for its duration and is then released. Otherwise it decays as soon as the attack has ended.
    public var isSustained: Bool

    public init(attack: Double = 0, decay: Double = 0, release: Double = 0, isSustained: Bool = true) {
        self.attack = attack
        self.decay = decay
        self.release = release
        self.isSustained = isSustained
    }
}

/// Changes one parameter of all events, from a certain time of the pattern on.
public struct HapticControl: Equatable, Sendable {
    public enum Parameter: String, CaseIterable, Sendable {
        /// A factor for the events' own intensity.
        case intensity
        /// Addends to the events' own values.
        case sharpness, attack, decay, release
        /// A factor for the sounds' own volume.
        case volume
        /// An addend to the sounds' own pitch.
        case pitch

        public var neutral: Double { multiplies ? 1 : 0 }
        public var range: ClosedRange<Double> { multiplies ? 0...1 : -1...1 }
        private var multiplies: Bool { self == .intensity || self == .volume }
    }

    public enum Shape: Equatable, Sendable {
        /// The parameter has this value from the control's time on.
        case jump(Double)
        /// The parameter follows straight lines from point to point, and then keeps the last value.
        case curve([Point])
    }

    public struct Point: Equatable, Sendable {
        /// The time of the point, counted from the control's own time.
        public var time: Seconds
        public var value: Double

        public init(time: Seconds, value: Double) {
            self.time = time
            self.value = value
        }
    }

    public var parameter: Parameter
    /// The time from the start of the pattern to the moment at which the control begins.
    public var time: Seconds
    public var shape: Shape

    public init(_ parameter: Parameter, time: Seconds, shape: Shape) {
        self.parameter = parameter
        self.time = time
        self.shape = shape
    }

    /// Returns the value at `time` from the pattern's start, and the time at which this control began to count; nil before that time.
    func value(at time: Seconds) -> (since: Seconds, value: Double)? {
        switch shape {
        case .jump(let value): return time >= self.time ? (self.time, value) : nil
        case .curve(let points):
            // All times are added up by this one function. Otherwise rounding could put a point before itself.
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

/// A pattern is written as the list of its events. A pattern that has controls or sounds, too, is written as
/// `{"events": …, "controls": …, "sounds": …}`.
extension HapticPattern: Codable {
    public init(from decoder: any Decoder) throws {
        if (try? decoder.unkeyedContainer()) != nil {
            self.init(events: try decoder.singleValueContainer().decode([HapticEvent].self))
            return
        }
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["events", "controls", "sounds"])
        func list<Element: Decodable>(_ name: String, _ expected: String) throws -> [Element] {
            fields.contains(name) ? try fields.nested([Element].self, name, expected: expected) : []
        }
        self.init(events: try fields.nested([HapticEvent].self, "events", expected: "a list of haptic events"),
                  controls: try list("controls", "a list of controls"), sounds: try list("sounds", "a list of sounds"))
    }

    public func encode(to encoder: any Encoder) throws {
        guard !controls.isEmpty || !sounds.isEmpty else {
            var container = encoder.singleValueContainer()
            return try container.encode(events)
        }
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(events, forKey: .init("events"))
        if !controls.isEmpty { try container.encode(controls, forKey: .init("controls")) }
        if !sounds.isEmpty { try container.encode(sounds, forKey: .init("sounds")) }
    }
}

/// An event with a `duration` in its JSON is continuous, and one without is transient.
extension HapticEvent: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["time", "duration", "intensity", "sharpness"] + HapticEnvelope.fields)
        let duration = try fields.numberIfPresent("duration", in: 0...30, unit: "seconds")
        self.init(
            time: Seconds(try fields.number("time", in: 0...60, unit: "seconds")),
            kind: duration.map { .continuous(duration: Seconds($0)) } ?? .transient,
            intensity: try fields.number("intensity", in: 0...1),
            sharpness: try fields.number("sharpness", in: 0...1),
            envelope: try HapticEnvelope(fields))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(time.rawValue, forKey: .init("time"))
        if case .continuous(let duration) = kind { try container.encode(duration.rawValue, forKey: .init("duration")) }
        try container.encode(intensity, forKey: .init("intensity"))
        try container.encode(sharpness, forKey: .init("sharpness"))
        try envelope.encode(into: &container)
    }
}

extension HapticEnvelope {
    static let fields = ["attack", "decay", "release", "sustained"]

    /// Reads an envelope. Missing fields have their default values. Throws `Fault`.
    init(_ fields: Fields) throws {
        let usual = HapticEnvelope()
        self.init(attack: try fields.numberIfPresent("attack", in: 0...1) ?? usual.attack,
                  decay: try fields.numberIfPresent("decay", in: 0...1) ?? usual.decay,
                  release: try fields.numberIfPresent("release", in: 0...1) ?? usual.release,
                  isSustained: try fields.flagIfPresent("sustained") ?? usual.isSustained)
    }

    func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        let usual = HapticEnvelope()
        if attack != usual.attack { try container.encode(attack, forKey: .init("attack")) }
        if decay != usual.decay { try container.encode(decay, forKey: .init("decay")) }
        if release != usual.release { try container.encode(release, forKey: .init("release")) }
        if isSustained != usual.isSustained { try container.encode(isSustained, forKey: .init("sustained")) }
    }
}

/// A control with a `value` in its JSON jumps to that value, and one with `points` follows them as a curve.
extension HapticControl: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["parameter", "time", "value", "points"])
        let parameter: Parameter = try fields.choice("parameter")
        let time = Seconds(try fields.number("time", in: 0...60, unit: "seconds"))
        guard fields.contains("points") else {
            self.init(parameter, time: time, shape: .jump(try fields.number("value", in: parameter.range)))
            return
        }
        guard !fields.contains("value") else { throw fields.fault("value", "either value or points", found: "both") }
        let points = try fields.nested([Point].self, "points", expected: "a list of points")
        guard (1...HapticPattern.mostPoints).contains(points.count) else {
            throw fields.fault("points", "1 to \(HapticPattern.mostPoints) points", found: "\(points.count)")
        }
        for (index, point) in points.enumerated() {
            guard parameter.range.contains(point.value) else {
                throw fields.fault("points[\(index)].value", "a number from \(Int(parameter.range.lowerBound)) to 1",
                                   found: "\(point.value)")
            }
            guard index == 0 || point.time >= points[index - 1].time else {
                throw fields.fault("points[\(index)].time", "no time before the last point's", found: "\(point.time.rawValue)")
            }
        }
        self.init(parameter, time: time, shape: .curve(points))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(parameter.rawValue, forKey: .init("parameter"))
        try container.encode(time.rawValue, forKey: .init("time"))
        switch shape {
        case .jump(let value): try container.encode(value, forKey: .init("value"))
        case .curve(let points): try container.encode(points, forKey: .init("points"))
        }
    }
}

extension HapticControl.Point: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["time", "value"])
        self.init(time: Seconds(try fields.number("time", in: 0...60, unit: "seconds")),
                  value: try fields.number("value", in: -1...1))
    }
}

extension HapticPattern {
    /// A bound for the work of computing the pattern: its whole duration plus the durations of each of its events and sounds, including the
    /// longest time that their envelopes can add.
    var burden: Seconds {
        // A tap at sharpness 0, the slowest, falls by 60 dB in 0.13 s. A release takes 1 s at most.
        let events = events.map { event in
            let length = if case .continuous(let duration) = event.kind { duration.rawValue + 1 } else { 0.15 }
            return (end: event.time.rawValue + length, length: length)
        }
        // The length of a sound file is not known at this place.
        let sounds = sounds.map { sound in
            let length = if case .tone(let duration) = sound.source { duration.rawValue + 1 } else { 0.0 }
            return (end: sound.time.rawValue + length, length: length)
        }
        let all = events + sounds
        return Seconds(all.reduce(all.map(\.end).max() ?? 0) { $0 + $1.length })
    }
}

extension Theme {
    /// The largest allowed sum of the burdens of a theme's patterns. Computing a second of burden takes some milliseconds, and its samples
    /// take 400 KB at 48 kHz.
    public static let mostHaptics = Seconds(1_800)

    /// Throws `Fault` if the patterns together take too long to be computed beforehand. Whatever reads a theme calls this.
    public func checkHaptics() throws(Fault) {
        let total = haptics.values.reduce(0) { $0 + $1.burden.rawValue }
        guard total <= Self.mostHaptics.rawValue else {
            let most = Fault.plain(Self.mostHaptics.rawValue)
            throw Fault(field: "haptics", expected: "patterns that last at most \(most) s, all their events and sounds counted one by one",
                        found: "\(Fault.plain(total.rounded())) s")
        }
    }
}
