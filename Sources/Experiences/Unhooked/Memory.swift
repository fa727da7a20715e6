import Experience
import Fields

extension Unhooked {
    /// The memory of a household, which the next run of the piece starts from.
    public struct Memory: PieceMemory {
        let home: Home
        /// The memory as JSON. It is made once, because the memory of a household is needed at each event.
        public let json: JSONValue

        init(_ home: Home) {
            self.home = home
            guard let value = try? JSONValue(encoding: ["home": Dated(home)]) else { preconditionFailure("a household has finite numbers") }
            json = value
        }

        public init(_ fields: Fields) throws {
            try fields.refuseAll(but: ["home"])
            let home = try fields.nested(Dated<Home>.self, "home", expected: "a household, as this version remembers it").body
            if let fault = home.damage { throw fault }
            self.init(home)
        }

        public static func == (a: Memory, b: Memory) -> Bool { a.home == b.home }
    }
}

extension Home {
    /// A fault for the first field whose value this version of the rules cannot have stored; nil when all values are valid.
    fileprivate var damage: Fault? {
        func fault(_ field: String, _ expected: String) -> Fault { Fault(field: "home." + field, expected: expected) }
        let minutes = 1...1_440
        if let damage = days.damage(longestName: UnhookedMove.longestName) { return fault(damage.field, damage.expected) }
        guard minutes.contains(limit), nextLimit.map(minutes.contains) ?? true else { return fault("limit", "1 to 1440 minutes") }
        guard today.used.map(UnhookedMove.minutes.contains) ?? true, (0...100_000_000).contains(today.eaten),
              (0...100_000_000).contains(today.buff), (0...100_000_000).contains(today.paid ?? 0),
              (0...Away.most).contains(today.breaks ?? 0) else { return fault("today", "figures of a day") }
        guard yesterday.map({ UnhookedMove.minutes.contains($0.minutes) && minutes.contains($0.limit) }) ?? true else {
            return fault("yesterday", "minutes, and a limit of 1 to 1440")
        }
        guard pet.isWell else { return fault("pet", "a pet as its rules allow") }
        guard memorial.count <= Self.mostRemembered, memorial.allSatisfy({ $0.pet.isWell && $0.pet.health == .dead }) else {
            return fault("memorial", "at most \(Self.mostRemembered) pets that died")
        }
        guard history.count <= Self.longestHistory, history.allSatisfy({ Days.numbers.contains($0.day) }) else {
            return fault("history", "at most \(Self.longestHistory) days")
        }
        guard wardrobe.count <= 1_000, Set(wardrobe).count == wardrobe.count, pet.worn.values.allSatisfy(wardrobe.contains) else {
            return fault("wardrobe", "cosmetics, each once, and all that is worn")
        }
        guard (0...1_000_000_000).contains(choices) else { return fault("choices", "a count") }
        guard (0...1_000_000).contains(goodDays ?? 0) else { return fault("goodDays", "a count") }
        let count = 0...1_000_000_000
        guard events?.count ?? 0 <= Self.mostEventNames, events?.values.allSatisfy(count.contains) ?? true,
              (0...Unhooked.Configuration.Additions.mostEvents).contains(today.events ?? 0) else {
            return fault("events", "counts of at most \(Self.mostEventNames) names")
        }
        guard wall?.count ?? 0 <= Self.mostOnWall, wall?.allSatisfy(\.isWell) ?? true else {
            return fault("wall", "at most \(Self.mostOnWall) pets as their rules allow")
        }
        guard recoveries.isWell else { return fault("recoveries", "moments in their order") }
        return books.isWell ? nil : fault("books", "accounts that sum to zero")
    }
}

extension Recoveries {
    fileprivate var isWell: Bool {
        uses.count <= Self.mostUses && uses.allSatisfy { Days.moments.contains($0.at) }
    }
}

extension Pet {
    fileprivate var isWell: Bool {
        let points = 0...100
        return (1...Self.mostNumber).contains(number) && (1...UnhookedMove.longestName).contains(name.count) && points.contains(fullness)
            && points.contains(mood) && (0...Self.fragileDays).contains(fragile) && (0...1_000_000).contains(unfedDays)
            && (0...Self.mostFedDays).contains(fedDays) && fed.count <= Self.recoveryDays && (0...Self.mostGrowth).contains(growth)
            && Days.numbers.contains(born) && died.map(Days.numbers.contains) ?? true && (died == nil) == (health != .dead)
            && worn.keys.allSatisfy { Cosmetic.Category(rawValue: $0) != nil }
    }
}
