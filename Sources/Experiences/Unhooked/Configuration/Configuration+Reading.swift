import Fields
import Signals

/// A part of a configuration, read strictly: whatever is missing, of a wrong type, out of range or unknown throws a `Fault` with its path.
protocol DocumentPart: Decodable {
    init(_ fields: Fields) throws
}

extension DocumentPart {
    public init(from decoder: any Decoder) throws { try self.init(Fields(decoder)) }
}

extension Unhooked.Configuration: DocumentPart {
    /// The range of prices, in Energy or Gems.
    static let prices = 1...100_000
    /// The largest number of items in a list.
    static let mostItems = 200

    /// Reads a configuration part by part. Throws the first `Fault` within a part. Contradictions between parts are found by `faults`.
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
    /// Reads an id: 1 to 40 lower-case letters, digits, `-` and `_`.
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

extension Unhooked.Configuration {
    /// All contradictions between the parts of the configuration, for instance two items with the same id.
    public var faults: [Fault] {
        var faults: [Fault] = []
        func note(_ field: String, _ expected: String, _ found: String? = nil) {
            faults.append(Fault(field: field, expected: expected, found: found))
        }
        func unique(_ list: String, _ ids: [String], by part: String = ".id") {
            var seen: Set<String> = []
            for (index, id) in ids.enumerated() where !seen.insert(id).inserted {
                note("\(list)[\(index)]\(part)", "an id of its own", "\"\(id)\", which is there before")
            }
        }
        unique("foods", foods.map(\.id))
        unique("seasons", seasons.map(\.id))
        unique("cosmetics", cosmetics.map(\.id))
        unique("products", products.map(\.id))
        unique("additions.features", additions?.features.map(\.id) ?? [])
        unique("additions.events", additions?.events ?? [], by: "")
        for species in Species.allCases where !foods.contains(where: { $0.species.includes(species) }) {
            note("foods", "at least one that a \(species.rawValue) eats")
        }
        if limit.least > limit.most { note("limit.most", "\(limit.least) or more, the least", "\(limit.most)") }
        if limit.standard < limit.least || limit.standard > limit.most {
            note("limit.standard", "from \(limit.least) to \(limit.most), as people may set it", "\(limit.standard)")
        }
        for (name, rule) in [("cure", recovery.cure), ("revive", recovery.revive), ("restart", recovery.restart)] {
            guard let window = rule.window, rule.cooldownHours > window.days * 24 else { continue }
            note("recovery.\(name).cooldownHours", "at most \(window.days * 24), the hours of its window", "\(rule.cooldownHours)")
        }
        for (index, cosmetic) in cosmetics.enumerated() {
            guard let season = cosmetic.season, self.season(season) == nil else { continue }
            note("cosmetics[\(index)].season", "the id of a season", "\"\(season)\"")
        }
        return faults
    }

    /// Returns a fault for each thing that this configuration would take from households that live by `former`: products that may yet be
    /// refunded, cosmetics in a wardrobe, and the categories in which cosmetics are worn. A memory that cannot be read is skipped.
    func losses(of memories: [JSONValue], after former: Self?) -> [Fault] {
        lostProducts(of: former?.products ?? []) + lostCosmetics(of: memories)
    }

    private func lostProducts(of former: [Product]) -> [Fault] {
        former.compactMap { old in
            guard let index = products.firstIndex(where: { $0.id == old.id }) else {
                return Fault(field: "products", expected: "\(old.id), which may have been bought: a refund takes back its Gems")
            }
            guard products[index].gems != old.gems else { return nil }
            return Fault(field: "products[\(index)].gems",
                         expected: "\(old.gems), because a refund takes back as many; another number is another product",
                         found: "\(products[index].gems)")
        }
    }

    private func lostCosmetics(of memories: [JSONValue]) -> [Fault] {
        var owned: Set<String> = []
        var worn: [String: String] = [:]
        for memory in memories {
            guard let home = try? memory.read({ try Unhooked.Memory($0) }).home else { continue }
            owned.formUnion(home.wardrobe)
            for (category, id) in home.pet.worn { worn[id] = category }
        }
        return owned.sorted().compactMap { id in
            guard let index = cosmetics.firstIndex(where: { $0.id == id }) else {
                return Fault(field: "cosmetics", expected: "\(id), which is in a wardrobe; isForSale: false takes it out of the shop")
            }
            guard let wornAs = worn[id], cosmetics[index].category.rawValue != wornAs else { return nil }
            return Fault(field: "cosmetics[\(index)].category", expected: "\(wornAs), because it is worn there",
                         found: cosmetics[index].category.rawValue)
        }
    }
}
