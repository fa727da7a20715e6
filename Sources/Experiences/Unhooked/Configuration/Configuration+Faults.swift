import Fields
import Signals

extension Unhooked.Configuration {
    /// All that is wrong with the whole of it.
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

    /// What it would take from households where `former` is in force: products, which may be refunded, cosmetics that are in a wardrobe,
    /// and where worn ones are worn. A memory that cannot be read has nothing to lose.
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
            guard let place = worn[id], cosmetics[index].category.rawValue != place else { return nil }
            return Fault(field: "cosmetics[\(index)].category", expected: "\(place), because it is worn there",
                         found: cosmetics[index].category.rawValue)
        }
    }
}
