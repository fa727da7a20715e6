import Experience
import Fields

/// A part of a configuration that is read strictly: whatever is missing, mistyped, out of range or unknown is a `Fault` with its path.
protocol DocumentPart: Decodable {
    init(_ fields: Fields) throws
}

extension DocumentPart {
    public init(from decoder: any Decoder) throws { try self.init(Fields(decoder)) }
}

extension Unhooked.Configuration: DocumentPart {
    /// Gems and Energy that anything may cost.
    static let prices = 1...100_000
    /// The most items of a list.
    static let mostItems = 200

    /// Throws the first `Fault`; `faults` has what the whole of it lacks.
    public init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["energy", "limit", "recovery", "foods", "seasons", "cosmetics", "products", "memorial", "flags",
                                   "additions"])
        func part<Part: DocumentPart>(_ name: String) throws -> Part { try fields.nested(Part.self, name, expected: "an object") }
        func list<Part: DocumentPart>(_ name: String) throws -> [Part] {
            let expected = "a list of at most \(Self.mostItems) objects"
            let parts = try fields.nested([Part].self, name, expected: expected)
            guard parts.count <= Self.mostItems else { throw fields.fault(name, expected, found: "\(parts.count)") }
            return parts
        }
        self.init(energy: try part("energy"), limit: try part("limit"), recovery: try part("recovery"), foods: try list("foods"),
                  seasons: try list("seasons"), cosmetics: try list("cosmetics"), products: try list("products"),
                  memorial: try part("memorial"), flags: try part("flags"),
                  additions: fields.contains("additions") ? try part("additions") : nil)
    }
}

extension Unhooked.Configuration.EnergyRule: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["gamma", "welcome"])
        self.init(gamma: try fields.number("gamma", in: 0.25...4), welcome: try fields.integer("welcome", in: 0...1_000, unit: "Energy"))
    }
}

extension Unhooked.Configuration.LimitRule: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["standard", "least", "most"])
        func minutes(_ name: String) throws -> Int { try fields.integer(name, in: 1...1_440, unit: "minutes") }
        self.init(standard: try minutes("standard"), least: try minutes("least"), most: try minutes("most"))
    }
}

extension Unhooked.Configuration.Recovery: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["cure", "revive", "restart"])
        func rule(_ name: String) throws -> Unhooked.Configuration.RecoveryRule {
            try fields.nested(Unhooked.Configuration.RecoveryRule.self, name, expected: "an object")
        }
        self.init(cure: try rule("cure"), revive: try rule("revive"), restart: try rule("restart"))
    }
}

extension Unhooked.Configuration.RecoveryRule: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["gems", "cooldownHours", "window"])
        self.init(gems: try fields.integer("gems", in: Unhooked.Configuration.prices, unit: "Gems"),
                  cooldownHours: try fields.integer("cooldownHours", in: 0...8_760, unit: "hours"),
                  window: fields.contains("window") ? try fields.nested(Window.self, "window", expected: "an object") : nil)
    }
}

extension Unhooked.Configuration.RecoveryRule.Window: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["most", "days"])
        self.init(most: try fields.integer("most", in: 1...100), days: try fields.integer("days", in: 1...366, unit: "days"))
    }
}

extension Unhooked.Configuration.Product: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["id", "gems"])
        self.init(id: try fields.itemID("id"), gems: try fields.integer("gems", in: Unhooked.Configuration.prices, unit: "Gems"))
    }
}

extension Unhooked.Configuration.MemorialRule: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["most"])
        self.init(most: try fields.integer("most", in: 1...100, unit: "pets"))
    }
}

extension Unhooked.Configuration.Flags: DocumentPart {
    init(_ fields: Fields) throws {
        try fields.refuseAll(but: ["food", "cosmetics", "recovery", "purchases", "memorial"])
        self.init(food: try fields.flag("food"), cosmetics: try fields.flag("cosmetics"), recovery: try fields.flag("recovery"),
                  purchases: try fields.flag("purchases"), memorial: try fields.flag("memorial"))
    }
}

extension Fields {
    /// 1 to 40 lower-case letters, digits, `-` and `_`.
    func itemID(_ name: String) throws -> String {
        let id = try text(name, limit: 40)
        let isPlain = id.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
        }
        guard isPlain else { throw fault(name, "lower-case letters, digits, - and _", found: "\"\(id)\"") }
        return id
    }
}
