import Experience
import Fields
import Signals

/// The actions that front ends may send to this piece. An action with a price has a key: sent again with the same key, it counts once.
public enum UnhookedMove: ActionBody {
    /// The household reports its screen time of today so far, in minutes.
    case report(minutes: Int)
    /// The household chooses a limit for its screen time of a day, in minutes.
    case limit(minutes: Int)
    /// The household chooses its first pet; where `name` is nil, the pet has the standard name.
    case adopt(Species, name: String?)
    case feed(food: String, key: String)
    case buy(cosmetic: String, key: String)
    /// A cosmetic is put on; nil takes off the one that is worn in the category.
    case wear(Cosmetic.Category, cosmetic: String?)
    case cure(key: String)
    case revive(key: String)
    case restart(Species, name: String?, key: String)
    /// Somebody looks at a pet in the memorial, which is given by its number.
    case remember(pet: Int)
    /// A visitor says to which household they belong; nil stands for that of the exhibition's own pet.
    case enter(household: String?)
    /// Gems were bought or a purchase was refunded, as a verified receipt proves.
    case purchase(Purchase)
    /// A page reports an event that the house has added.
    case track(name: String, value: String?)
    /// An operator lets a household begin anew.
    case reset
    /// An operator gives Energy and Gems; `by` is who gives them.
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

    /// The key by which a repeated action is recognized, so that it counts once; nil for actions that have no key.
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
        // The key is made of the fields of the purchase.
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

// Reads the fields of actions. Throws `Fault` for a wrong field.
extension UnhookedMove {
    /// The largest number of characters in the name of a household or of a pet.
    static let longestName = 40

    /// The range of minutes of screen time in a day. A day on which clocks go back is longer, but counts at most 1,440 minutes.
    static let minutes = 0...1_440

    /// The range of the Energy, and of the Gems, in one gift.
    private static let gifts = 0...10_000

    private static func key(_ fields: Fields) throws -> String {
        let key = try fields.text("key", limit: 64, about: "letters, digits, - and _, chosen anew for each action: a key counts once")
        guard key.wholeMatch(of: /[A-Za-z0-9_-]+/) != nil else {
            throw fields.fault("key", "letters, digits, - and _", found: "\"\(key)\"")
        }
        return key
    }

    private static func name(_ fields: Fields) throws -> String? {
        try fields.plainNameIfPresent("name", limit: longestName, about: "of the pet; \(Home.standardName) without it")
    }

    static func readReport(_ fields: Fields) throws -> UnhookedMove {
        .report(minutes: try fields.integer("minutes", in: minutes, unit: "minutes", about: "of screen time today so far; the most counts"))
    }

    static func readLimit(_ fields: Fields) throws -> UnhookedMove {
        .limit(minutes: try fields.integer("minutes", in: 1...minutes.upperBound, unit: "minutes", about: "of screen time a day"))
    }

    static func readAdopt(_ fields: Fields) throws -> UnhookedMove { .adopt(try fields.choice("species"), name: try name(fields)) }

    static func readFeed(_ fields: Fields) throws -> UnhookedMove {
        .feed(food: try fields.text("food", limit: 40, about: "its id, as unhooked.shop has it"), key: try key(fields))
    }

    static func readBuy(_ fields: Fields) throws -> UnhookedMove {
        .buy(cosmetic: try fields.text("cosmetic", limit: 40, about: "its id, as unhooked.shop has it"), key: try key(fields))
    }

    static func readWear(_ fields: Fields) throws -> UnhookedMove {
        .wear(try fields.choice("category"),
              cosmetic: try fields.textIfPresent("cosmetic", limit: 40, about: "its id; without it, what is worn is taken off"))
    }

    static func readRecovery(_ recovery: Recovery, _ fields: Fields) throws -> UnhookedMove {
        switch recovery {
        case .cure: .cure(key: try key(fields))
        case .revive: .revive(key: try key(fields))
        case .restart: try readRestart(fields)
        }
    }

    /// Reads the parameters of `restart`, the required ones first, because parameters sent without names come in the order in which they
    /// are read.
    private static func readRestart(_ fields: Fields) throws -> UnhookedMove {
        let (species, key) = (try fields.choice("species") as Species, try key(fields))
        return .restart(species, name: try name(fields), key: key)
    }

    static func readRemember(_ fields: Fields) throws -> UnhookedMove {
        .remember(pet: try fields.integer("pet", in: 1...Pet.mostNumber, about: "its number, as unhooked.memorial has it"))
    }

    static func readTrack(_ fields: Fields) throws -> UnhookedMove {
        .track(name: try fields.text("name", limit: 40, about: "of the event, as unhooked.additions has it"),
               value: try fields.textIfPresent("value", limit: 64, about: "what is to be known of it"))
    }

    /// Reads the parameters of `gift`, the required ones first, as `readRestart` does.
    static func readGift(_ fields: Fields) throws -> UnhookedMove {
        let by = try fields.plainName("by", limit: longestName, about: "who gives it")
        let key = try key(fields)
        return .gift(energy: try fields.integerIfPresent("energy", in: gifts, unit: "Energy", about: "0 without it") ?? 0,
                     gems: try fields.integerIfPresent("gems", in: gifts, unit: "Gems", about: "0 without it") ?? 0, by: by, key: key)
    }

    static func readEnter(_ fields: Fields) throws -> UnhookedMove {
        .enter(household: try fields.plainNameIfPresent("household", limit: longestName,
                                                       about: "for instance a badge; the exhibition's own pet without it"))
    }
}
