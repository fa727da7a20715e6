import Units

/// A pattern is written as the list of its events.
extension HapticPattern: Codable {
    public init(from decoder: any Decoder) throws {
        self.init(events: try decoder.singleValueContainer().decode([HapticEvent].self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(events)
    }
}

/// An event with a `duration` is continuous, one without is a transient.
extension HapticEvent: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["time", "duration", "intensity", "sharpness"])
        let duration = try fields.numberIfPresent("duration", in: 0.001...30, unit: "seconds")
        self.init(
            time: Seconds(try fields.number("time", in: 0...60, unit: "seconds")),
            kind: duration.map { .continuous(duration: Seconds($0)) } ?? .transient,
            intensity: try fields.number("intensity", in: 0...1),
            sharpness: try fields.number("sharpness", in: 0...1))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(time.rawValue, forKey: .init("time"))
        if case .continuous(let duration) = kind { try container.encode(duration.rawValue, forKey: .init("duration")) }
        try container.encode(intensity, forKey: .init("intensity"))
        try container.encode(sharpness, forKey: .init("sharpness"))
    }
}
