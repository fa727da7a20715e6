import Fields
import Units

/// A pattern is written as the list of its events, or with more than that as `{"events": …, "controls": …, "sounds": …}`.
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

/// An event with a `duration` is continuous, one without is a transient.
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

    /// What is left out is as usual.
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

/// A control with a `value` jumps to it, one with `points` follows them.
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

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(time.rawValue, forKey: .init("time"))
        try container.encode(value, forKey: .init("value"))
    }
}
