import Experience
import Fields

/// What a visit came to, for the leaderboard.
public struct LastVisit: Codable, Equatable, Sendable {
    /// A shorter one does not count: it was a stray tap.
    static let fewestCards = 3

    /// Viewed.
    public var cards: Int
    /// Unlocked; nil when it was not remembered.
    public var skins: Int?
    /// From the visit's start to the visitor's last touch, to a tenth; nil when it was not remembered.
    public var minutes: Double?
    /// Among the rivals of its last hour and itself, 1 for the best; nil when it was not remembered.
    public var rank: Int?

    public init(cards: Int, skins: Int? = nil, minutes: Double? = nil, rank: Int? = nil) {
        self.cards = cards
        self.skins = skins
        self.minutes = minutes
        self.rank = rank
    }
}

extension ColorScroller {
    /// What the next visitor finds on the leaderboard.
    public struct Memory: PieceMemory {
        public var last: LastVisit
        /// Cards of the house's last visits, those that count, the newest last: at most 25. A course may be learned from them.
        public var visits: [Int]

        public init(last: LastVisit, visits: [Int]) {
            self.last = last
            self.visits = visits
        }

        /// Rules of version 1 remembered `lastScore` alone, the cards.
        public init(_ fields: Fields) throws {
            try fields.refuseAll(but: ["lastScore", "cards", "skins", "minutes", "rank", "visits"])
            let counts = 0...Int(Int32.max)
            let cards = try fields.integerIfPresent("lastScore", in: counts) ?? fields.integer("cards", in: counts)
            last = LastVisit(cards: cards, skins: try fields.integerIfPresent("skins", in: counts),
                             minutes: try fields.numberIfPresent("minutes", in: 0...1e9),
                             rank: try fields.integerIfPresent("rank", in: 1...Rivals.places))
            visits = try Self.visits(fields) ?? [cards]
        }

        private static func visits(_ fields: Fields) throws -> [Int]? {
            guard let visits = fields.list("visits", of: Int.self) else { return nil }
            guard visits.count <= Course.memory, visits.allSatisfy({ (LastVisit.fewestCards...Int(Int32.max)).contains($0) }) else {
                throw fields.fault("visits", "at most \(Course.memory) whole numbers of cards, each \(LastVisit.fewestCards) or more",
                                   found: "others")
            }
            return visits
        }

        public var json: JSONValue {
            var fields: [String: JSONValue] = ["cards": .integer(Int64(last.cards)),
                                               "visits": .list(visits.map { .integer(Int64($0)) })]
            if let skins = last.skins { fields["skins"] = .integer(Int64(skins)) }
            if let minutes = last.minutes { fields["minutes"] = .number(minutes) }
            if let rank = last.rank { fields["rank"] = .integer(Int64(rank)) }
            return .object(fields)
        }
    }

    /// This visit, or the one before where this one does not count.
    public var memory: Memory? {
        guard state.blocksViewed >= LastVisit.fewestCards else { return state.rivals.last.map { Memory(last: $0, visits: state.visits) } }
        let minutes = ((state.lastSign - state.began) / 6).rounded(.toNearestOrAwayFromZero) / 10
        let skins = state.collection.unlocked.count
        return Memory(last: LastVisit(cards: state.blocksViewed, skins: skins, minutes: minutes, rank: state.rank),
                      visits: (state.visits + [state.blocksViewed]).suffix(Course.memory))
    }
}
