import Fields
import Units

extension Theme: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["name", "toneCurve", "toneFade", "tonePartials", "ceiling", "chimes", "textures", "haptics"])
        self.init(
            name: try fields.text("name"),
            toneCurve: try fields.nested(ToneCurve.self, "toneCurve", expected: "an object"),
            toneFade: Seconds(try fields.number("toneFade", in: 0.001...1, unit: "seconds")),
            tonePartials: fields.contains("tonePartials")
                ? try fields.nested([TonePartial].self, "tonePartials", expected: "a list of partials") : TonePartial.sine,
            ceiling: Decibels(try fields.number("ceiling", in: -60...0, unit: "dBFS")),
            chimes: try fields.nested([String: Chime].self, "chimes", expected: "an object of chimes by name"),
            textures: fields.contains("textures")
                ? try fields.nested([String: Texture].self, "textures", expected: "an object of textures by name") : [:],
            haptics: try fields.nested([String: HapticPattern].self, "haptics", expected: "an object of patterns by name"))
        guard (1...TonePartial.most).contains(tonePartials.count) else {
            throw fields.fault("tonePartials", "1 to \(TonePartial.most) partials", found: "\(tonePartials.count)")
        }
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
        // Written only where a theme has them: the themes in the headers of older journals do not.
        if tonePartials != TonePartial.sine { try container.encode(tonePartials, forKey: .init("tonePartials")) }
        try container.encode(ceiling.rawValue, forKey: .init("ceiling"))
        try container.encode(chimes, forKey: .init("chimes"))
        if !textures.isEmpty { try container.encode(textures, forKey: .init("textures")) }
        try container.encode(haptics, forKey: .init("haptics"))
    }
}

extension TonePartial: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["ratio", "level"])
        self.init(ratio: try fields.integer("ratio", in: 1...32),
                  level: Decibels(try fields.numberIfPresent("level", in: -120...0, unit: "dB") ?? 0))
    }
}

extension ToneCurve: Codable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        let ends = ["start", "cap", "quietest", "loudest", "views"]
        try fields.refuseAll(but: ends + ["points"])
        guard !fields.contains("points") else {
            if let end = ends.first(where: fields.contains) { throw fields.fault(end, "either \(end) or points", found: "both") }
            self.init(points: try Self.points(fields))
            return
        }
        let start = try fields.number("start", in: 20...5000, unit: "Hz")
        let quietest = try fields.number("quietest", in: -120...0, unit: "dBFS")
        self.init(
            start: Hertz(start),
            cap: Hertz(try fields.number("cap", in: start...5000, unit: "Hz")),
            quietest: Decibels(quietest),
            loudest: Decibels(try fields.number("loudest", in: quietest...0, unit: "dBFS")),
            views: try fields.integer("views", in: 1...Self.mostViews))
    }

    private static func points(_ fields: Fields) throws -> [Point] {
        let points = try fields.nested([Point].self, "points", expected: "a list of points")
        guard pointCounts.contains(points.count) else {
            throw fields.fault("points", "\(pointCounts.lowerBound) to \(pointCounts.upperBound) points", found: "\(points.count)")
        }
        guard points[0].views == 0 else {
            throw fields.fault("points[0].views", "0, because the tone begins there", found: "\(points[0].views)")
        }
        for (index, pair) in zip(points, points.dropFirst()).enumerated() where pair.1.views <= pair.0.views {
            throw fields.fault("points[\(index + 1)].views", "more than the last point's \(pair.0.views)", found: "\(pair.1.views)")
        }
        return points
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        // In the form that themes had before curves had points.
        guard isStraight else { return try container.encode(points, forKey: .init("points")) }
        try container.encode(start.rawValue, forKey: .init("start"))
        try container.encode(cap.rawValue, forKey: .init("cap"))
        try container.encode(quietest.rawValue, forKey: .init("quietest"))
        try container.encode(loudest.rawValue, forKey: .init("loudest"))
        try container.encode(views, forKey: .init("views"))
    }
}

extension ToneCurve.Point: Decodable {
    public init(from decoder: any Decoder) throws {
        let fields = try Fields(decoder)
        try fields.refuseAll(but: ["views", "frequency", "level"])
        self.init(views: try fields.integer("views", in: 0...ToneCurve.mostViews),
                  frequency: Hertz(try fields.number("frequency", in: 20...5000, unit: "Hz")),
                  level: Decibels(try fields.number("level", in: -120...0, unit: "dBFS")))
    }
}
