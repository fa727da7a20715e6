import Experience
import Fields

extension ColorScroller {
    /// What the next run needs to know: the last visit's result and the rivals' seed for the leaderboard, and the lengths of the house's
    /// visits, from which the course is computed.
    public struct Memory: PieceMemory {
        public var last: LastVisit
        /// The numbers of cards viewed in the house's last visits that count, the newest last; at most 25.
        public var visits: [Int]
        /// The seed of the house's rivals; nil in a memory of a visit whose rivals were its own.
        var rivals: UInt64?

        /// The seeds that a memory can have, because JSON numbers are exact up to 2⁵³.
        private static let seeds = 0...(1 << 53 - 1)

        init(last: LastVisit, visits: [Int], rivals: UInt64? = nil) {
            self.last = last
            self.visits = visits
            self.rivals = rivals.map { $0 & UInt64(Self.seeds.upperBound) }
        }

        /// Reads a memory. Also reads the format of version 1 of the rules, which has only `lastScore`, the number of cards, and memories
        /// without `rivals`. Throws `Fault`.
        public init(_ fields: Fields) throws {
            try fields.refuseAll(but: ["lastScore", "cards", "skins", "minutes", "rank", "visits", "rivals"])
            let counts = 0...Int(Int32.max)
            let cards = try fields.integerIfPresent("lastScore", in: counts) ?? fields.integer("cards", in: counts)
            last = LastVisit(cards: cards, skins: try fields.integerIfPresent("skins", in: counts),
                             minutes: try fields.numberIfPresent("minutes", in: 0...1e9),
                             rank: try fields.integerIfPresent("rank", in: 1...Rivals.lastRank))
            visits = try Self.visits(fields) ?? [cards]
            rivals = try fields.integerIfPresent("rivals", in: Self.seeds).map { UInt64($0) }
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
            if let rivals { fields["rivals"] = .integer(Int64(rivals)) }
            return .object(fields)
        }
    }

    /// The memory after this visit. A visit that is too short to count leaves the former memory; nil where there was none.
    public var memory: Memory? {
        guard state.blocksViewed >= LastVisit.fewestCards else { return former }
        let minutes = ((state.lastSign - state.began) / 6).rounded(.toNearestOrAwayFromZero) / 10
        let skins = state.collection.unlocked.count
        return Memory(last: LastVisit(cards: state.blocksViewed, skins: skins, minutes: minutes, rank: state.rank),
                      visits: (state.visits + [state.blocksViewed]).suffix(Course.memory), rivals: state.rivals.seed)
    }

    /// The memory as it was before this visit; nil where there was none.
    private var former: Memory? { state.rivals.last.map { Memory(last: $0, visits: state.visits, rivals: state.rivals.seed) } }
}
