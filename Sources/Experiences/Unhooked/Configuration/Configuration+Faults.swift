import Fields

extension Unhooked.Configuration {
    /// All that is wrong with it as a whole; empty when it can be published. `former` is the one that is in force: its cosmetics may be in
    /// wardrobes, and its products may be refunded.
    public func faults(after former: Self?) -> [Fault] {
        var faults: [Fault] = []
        func note(_ field: String, _ expected: String, _ found: String? = nil) {
            faults.append(Fault(field: field, expected: expected, found: found))
        }
        func unique(_ list: String, _ ids: [String]) {
            var seen: Set<String> = []
            for (index, id) in ids.enumerated() where !seen.insert(id).inserted {
                note("\(list)[\(index)].id", "an id of its own", "\"\(id)\", which is there before")
            }
        }
        unique("foods", foods.map(\.id))
        unique("seasons", seasons.map(\.id))
        unique("cosmetics", cosmetics.map(\.id))
        unique("products", products.map(\.id))
        for species in Species.allCases where !foods.contains(where: { $0.species.includes(species) }) {
            note("foods", "at least one that a \(species.rawValue) eats")
        }
        if limit.least > limit.most { note("limit.most", "\(limit.least) or more, the least", "\(limit.most)") }
        if !(limit.least...max(limit.least, limit.most)).contains(limit.standard) {
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
        for old in former?.cosmetics ?? [] {
            guard let index = cosmetics.firstIndex(where: { $0.id == old.id }) else {
                note("cosmetics", "\(old.id), which may be in a wardrobe; isForSale: false takes it out of the shop")
                continue
            }
            if cosmetics[index].category != old.category {
                note("cosmetics[\(index)].category", "\(old.category.rawValue), because it may be worn", cosmetics[index].category.rawValue)
            }
        }
        for old in former?.products ?? [] {
            guard let index = products.firstIndex(where: { $0.id == old.id }) else {
                note("products", "\(old.id), which may have been bought: a refund takes back its Gems")
                continue
            }
            if products[index].gems != old.gems {
                note("products[\(index)].gems", "\(old.gems), because a refund takes back as many; another number is another product",
                     "\(products[index].gems)")
            }
        }
        return faults
    }
}
