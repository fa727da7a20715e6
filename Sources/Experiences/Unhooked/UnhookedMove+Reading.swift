import Experience
import Fields

// Throws `Fault`, as readers of actions do.
extension UnhookedMove {
    /// Characters of a household's name, or a pet's.
    static let longestName = 40

    /// Minutes of a day. One on which clocks go back has more, which count as these.
    static let minutes = 0...1_440

    /// The Energy, and the Gems, that one gift may have.
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

    /// What must be there is read first: parameters without names have this order.
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

    /// What must be there is read first.
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
