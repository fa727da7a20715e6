import Fields
import Units

extension Texture: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["level", "noise", "pulse", "breath", "voice", "touch", "attack", "release"])
        self.init(
            level: Decibels(try fields.number("level", in: -120...0, unit: "dBFS")),
            noise: try fields.nested(Band.self, "noise", expected: "an object with low and high"),
            pulse: try fields.part(Pulse.self, "pulse"),
            breath: try fields.part(Breath.self, "breath"),
            voice: try fields.part(Voice.self, "voice"),
            touch: try fields.part(Feel.self, "touch"),
            attack: Seconds(try fields.number("attack", in: 0.005...10, unit: "seconds")),
            release: Seconds(try fields.number("release", in: 0.005...10, unit: "seconds")))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(level.rawValue, forKey: .init("level"))
        try container.encode(noise, forKey: .init("noise"))
        try container.encodeIfPresent(pulse, forKey: .init("pulse"))
        try container.encodeIfPresent(breath, forKey: .init("breath"))
        try container.encodeIfPresent(voice, forKey: .init("voice"))
        try container.encodeIfPresent(touch, forKey: .init("touch"))
        try container.encode(attack.rawValue, forKey: .init("attack"))
        try container.encode(release.rawValue, forKey: .init("release"))
    }
}

extension Fields {
    fileprivate func part<Part: Decodable>(_ type: Part.Type, _ name: String) throws -> Part? {
        contains(name) ? try nested(type, name, expected: "an object") : nil
    }
}

extension Texture.Band: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["low", "high"])
        let low = try fields.number("low", in: 20...1_000, unit: "Hz")
        self.init(low: Hertz(low), high: Hertz(try fields.number("high", in: (low * Texture.narrowest)...2_000, unit: "Hz")))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(low.rawValue, forKey: .init("low"))
        try container.encode(high.rawValue, forKey: .init("high"))
    }
}

extension Texture.Pulse: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["rate", "inhaled", "depth", "jitter", "gaps"])
        self.init(
            rate: Hertz(try fields.number("rate", in: 1...100, unit: "Hz")),
            inhaled: Hertz(try fields.number("inhaled", in: 1...100, unit: "Hz")),
            depth: try fields.number("depth", in: 0...1),
            jitter: try fields.number("jitter", in: 0...0.5),
            gaps: try fields.number("gaps", in: 0...1))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(rate.rawValue, forKey: .init("rate"))
        try container.encode(inhaled.rawValue, forKey: .init("inhaled"))
        try container.encode(depth, forKey: .init("depth"))
        try container.encode(jitter, forKey: .init("jitter"))
        try container.encode(gaps, forKey: .init("gaps"))
    }
}

extension Texture.Breath: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["period", "depth"])
        self.init(period: Seconds(try fields.number("period", in: 0.5...60, unit: "seconds")), depth: try fields.number("depth", in: 0...1))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(period.rawValue, forKey: .init("period"))
        try container.encode(depth, forKey: .init("depth"))
    }
}

extension Texture.Voice: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["frequency", "level"])
        self.init(frequency: Hertz(try fields.number("frequency", in: 20...5_000, unit: "Hz")),
                  level: Decibels(try fields.number("level", in: -120...24, unit: "dB")))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(frequency.rawValue, forKey: .init("frequency"))
        try container.encode(level.rawValue, forKey: .init("level"))
    }
}

extension Texture.Feel: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["intensity", "sharpness"])
        self.init(intensity: try fields.number("intensity", in: 0...1), sharpness: try fields.number("sharpness", in: 0...1))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(intensity, forKey: .init("intensity"))
        try container.encode(sharpness, forKey: .init("sharpness"))
    }
}
