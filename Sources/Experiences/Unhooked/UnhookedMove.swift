import Experience
import Fields
import Signals

/// What front ends report in the piece's own words. What costs something has a key: the same action with the same key counts once.
public enum UnhookedMove: ActionBody {
    /// Minutes of screen time today, so far.
    case report(minutes: Int)
    /// Minutes of screen time a day.
    case limit(minutes: Int)
    /// A household's first pet is chosen.
    case adopt(Species, name: String?)
    case feed(food: String, key: String)
    case buy(cosmetic: String, key: String)
    /// Nil takes off what is worn of the category.
    case wear(Cosmetic.Category, cosmetic: String?)
    case cure(key: String)
    case revive(key: String)
    case restart(Species, name: String?, key: String)
    /// Somebody looks at a pet that died, by its number.
    case remember(pet: Int)
    /// A visitor says who they are; nil for the exhibition's own pet.
    case enter(household: String?)
    /// Gems were bought, or a purchase was refunded, by a verified receipt.
    case purchase(Purchase)
    /// A page reports an event of the house's own.
    case track(name: String, value: String?)
    /// An operator has a household begin anew.
    case reset
    /// An operator gives something, by name.
    case gift(energy: Int, gems: Int, by: String, key: String)

    public var name: String {
        switch self {
        case .report: "unhooked.report"
        case .limit: "unhooked.limit"
        case .adopt: "unhooked.adopt"
        case .feed: "unhooked.feed"
        case .buy: "unhooked.buy"
        case .wear: "unhooked.wear"
        case .cure: "unhooked.cure"
        case .revive: "unhooked.revive"
        case .restart: "unhooked.restart"
        case .remember: "unhooked.remember"
        case .enter: "unhooked.enter"
        case .purchase: "unhooked.purchase"
        case .track: "unhooked.track"
        case .reset: "unhooked.reset"
        case .gift: "unhooked.gift"
        }
    }

    /// Nil where nothing moves.
    var idempotencyKey: String? {
        switch self {
        case .feed(_, let key), .buy(_, let key), .cure(let key), .revive(let key), .restart(_, _, let key),
             .gift(_, _, _, let key): key
        case .purchase(let purchase): purchase.key.text
        case .report, .limit, .adopt, .wear, .remember, .enter, .track, .reset: nil
        }
    }

    public var key: ActionKey? {
        if case .purchase(let purchase) = self { return purchase.key }
        return idempotencyKey.map { ActionKey($0) }
    }

    public var entering: String? { if case .enter(let name) = self { name ?? Household.home } else { nil } }

    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        func key(_ name: String) -> Fields.Key { Fields.Key(name) }
        switch self {
        // Its key is made of its fields.
        case .purchase(let purchase): return try purchase.encode(into: &container)
        case .report(let minutes), .limit(let minutes): try container.encode(minutes, forKey: key("minutes"))
        case .adopt(let species, let name): try encode(species, name, into: &container)
        case .feed(let food, _): try container.encode(food, forKey: key("food"))
        case .buy(let cosmetic, _): try container.encode(cosmetic, forKey: key("cosmetic"))
        case .wear(let category, let cosmetic):
            try container.encode(category, forKey: key("category"))
            try container.encodeIfPresent(cosmetic, forKey: key("cosmetic"))
        case .cure, .revive, .reset: break
        case .track(let name, let value):
            try container.encode(name, forKey: key("name"))
            try container.encodeIfPresent(value, forKey: key("value"))
        case .gift(let energy, let gems, let by, _):
            try container.encode(energy, forKey: key("energy"))
            try container.encode(gems, forKey: key("gems"))
            try container.encode(by, forKey: key("by"))
        case .restart(let species, let name, _): try encode(species, name, into: &container)
        case .remember(let pet): try container.encode(pet, forKey: key("pet"))
        case .enter(let household): try container.encodeIfPresent(household, forKey: key("household"))
        }
        try container.encodeIfPresent(idempotencyKey, forKey: key("key"))
    }

    private func encode(_ species: Species, _ name: String?, into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        try container.encode(species, forKey: Fields.Key("species"))
        try container.encodeIfPresent(name, forKey: Fields.Key("name"))
    }
}
