import Fields
import Units

extension Theme: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["name", "toneCurve", "toneFade", "ceiling", "chimes", "textures", "haptics"])
        self.init(
            name: try fields.text("name"),
            toneCurve: try fields.nested(ToneCurve.self, "toneCurve", expected: "an object"),
            toneFade: Seconds(try fields.number("toneFade", in: 0.001...1, unit: "seconds")),
            ceiling: Decibels(try fields.number("ceiling", in: -60...0, unit: "dBFS")),
            chimes: try fields.nested([String: Chime].self, "chimes", expected: "an object of chimes by name"),
            textures: fields.contains("textures")
                ? try fields.nested([String: Texture].self, "textures", expected: "an object of textures by name") : [:],
            haptics: try fields.nested([String: HapticPattern].self, "haptics", expected: "an object of patterns by name"))
        do {
            try checkHaptics()
        } catch {
            throw fields.fault(error.field, error.expected, found: error.found)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(name, forKey: .init("name"))
        try container.encode(toneCurve, forKey: .init("toneCurve"))
        try container.encode(toneFade.rawValue, forKey: .init("toneFade"))
        try container.encode(ceiling.rawValue, forKey: .init("ceiling"))
        try container.encode(chimes, forKey: .init("chimes"))
        // Themes are in the headers of journals, where older ones have none.
        if !textures.isEmpty { try container.encode(textures, forKey: .init("textures")) }
        try container.encode(haptics, forKey: .init("haptics"))
    }
}

extension ToneCurve: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["start", "cap", "quietest", "loudest", "views"])
        let start = try fields.number("start", in: 20...5000, unit: "Hz")
        let quietest = try fields.number("quietest", in: -120...0, unit: "dBFS")
        self.init(
            start: Hertz(start),
            cap: Hertz(try fields.number("cap", in: start...5000, unit: "Hz")),
            quietest: Decibels(quietest),
            loudest: Decibels(try fields.number("loudest", in: quietest...0, unit: "dBFS")),
            views: try fields.integer("views", in: 1...1_000_000))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(start.rawValue, forKey: .init("start"))
        try container.encode(cap.rawValue, forKey: .init("cap"))
        try container.encode(quietest.rawValue, forKey: .init("quietest"))
        try container.encode(loudest.rawValue, forKey: .init("loudest"))
        try container.encode(views, forKey: .init("views"))
    }
}
