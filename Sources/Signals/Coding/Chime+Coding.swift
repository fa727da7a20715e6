import Fields
import Units

/// A chime is written as the list of its notes.
extension Chime: Codable {
    public init(from decoder: any Decoder) throws {
        let notes = try decoder.singleValueContainer().decode([ChimeNote].self)
        guard (1...16).contains(notes.count) else {
            throw Fault(field: Fields.path(decoder.codingPath), expected: "1 to 16 notes", found: "\(notes.count)")
        }
        self.init(notes: notes)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(notes)
    }
}

extension ChimeNote: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["start", "frequency", "level", "attack", "decay", "partials", "glide"])
        self.init(
            start: Seconds(try fields.number("start", in: 0...10, unit: "seconds")),
            frequency: Hertz(try fields.number("frequency", in: 20...20_000, unit: "Hz")),
            level: Decibels(try fields.number("level", in: -120...0, unit: "dBFS")),
            attack: Seconds(try fields.number("attack", in: 0.001...10, unit: "seconds")),
            decay: Seconds(try fields.number("decay", in: 0.01...30, unit: "seconds to fall by 60 dB")),
            partials: try fields.nested([Partial].self, "partials", expected: "a list of partials"),
            glide: fields.contains("glide") ? try fields.nested(Glide.self, "glide", expected: "an object with to and time") : nil)
        guard (1...Self.maximumPartials).contains(partials.count) else {
            throw fields.fault("partials", "1 to \(Self.maximumPartials) partials", found: "\(partials.count)")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(start.rawValue, forKey: .init("start"))
        try container.encode(frequency.rawValue, forKey: .init("frequency"))
        try container.encode(level.rawValue, forKey: .init("level"))
        try container.encode(attack.rawValue, forKey: .init("attack"))
        try container.encode(decay.rawValue, forKey: .init("decay"))
        try container.encode(partials, forKey: .init("partials"))
        try container.encodeIfPresent(glide, forKey: .init("glide"))
    }
}

extension ChimeNote.Glide: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["to", "time"])
        self.init(to: Hertz(try fields.number("to", in: 20...20_000, unit: "Hz")),
                  time: Seconds(try fields.number("time", in: 0.01...30, unit: "seconds")))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(to.rawValue, forKey: .init("to"))
        try container.encode(time.rawValue, forKey: .init("time"))
    }
}

extension Partial: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["ratio", "level"])
        self.init(ratio: try fields.number("ratio", in: 0.1...32),
                  level: Decibels(try fields.number("level", in: -120...0, unit: "dB")))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(ratio, forKey: .init("ratio"))
        try container.encode(level.rawValue, forKey: .init("level"))
    }
}
