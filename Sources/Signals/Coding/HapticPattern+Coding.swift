import Units

/// A pattern is written as the list of its events, or with controls as `{"events": …, "controls": …}`.
extension HapticPattern: Codable {
    public init(from decoder: any Decoder) throws {
        if (try? decoder.unkeyedContainer()) != nil {
            self.init(events: try decoder.singleValueContainer().decode([HapticEvent].self))
            return
        }
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["events", "controls"])
        self.init(events: try fields.nested([HapticEvent].self, "events", expected: "a list of haptic events"),
                  controls: try fields.nested([HapticControl].self, "controls", expected: "a list of controls"))
    }

    public func encode(to encoder: any Encoder) throws {
        guard !controls.isEmpty else {
            var container = encoder.singleValueContainer()
            return try container.encode(events)
        }
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(events, forKey: .init("events"))
        try container.encode(controls, forKey: .init("controls"))
    }
}

/// An event with a `duration` is continuous, one without is a transient. What its envelope leaves out is as usual.
extension HapticEvent: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["time", "duration", "intensity", "sharpness", "attack", "decay", "release", "sustained"])
        let duration = try fields.numberIfPresent("duration", in: 0.001...30, unit: "seconds")
        let usual = HapticEnvelope()
        self.init(
            time: Seconds(try fields.number("time", in: 0...60, unit: "seconds")),
            kind: duration.map { .continuous(duration: Seconds($0)) } ?? .transient,
            intensity: try fields.number("intensity", in: 0...1),
            sharpness: try fields.number("sharpness", in: 0...1),
            envelope: HapticEnvelope(
                attack: try fields.numberIfPresent("attack", in: 0...1) ?? usual.attack,
                decay: try fields.numberIfPresent("decay", in: 0...1) ?? usual.decay,
                release: try fields.numberIfPresent("release", in: 0...1) ?? usual.release,
                isSustained: try fields.flagIfPresent("sustained") ?? usual.isSustained))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        let usual = HapticEnvelope()
        try container.encode(time.rawValue, forKey: .init("time"))
        if case .continuous(let duration) = kind { try container.encode(duration.rawValue, forKey: .init("duration")) }
        try container.encode(intensity, forKey: .init("intensity"))
        try container.encode(sharpness, forKey: .init("sharpness"))
        if envelope.attack != usual.attack { try container.encode(envelope.attack, forKey: .init("attack")) }
        if envelope.decay != usual.decay { try container.encode(envelope.decay, forKey: .init("decay")) }
        if envelope.release != usual.release { try container.encode(envelope.release, forKey: .init("release")) }
        if envelope.isSustained != usual.isSustained {
            try container.encode(envelope.isSustained, forKey: .init("sustained"))
        }
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
