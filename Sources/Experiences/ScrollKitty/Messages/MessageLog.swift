import Experience

/// What a household has been told, and the choice of what comes next.
struct MessageLog: Codable, Equatable, Sendable {
    /// How many messages lie between two times the same, at least.
    static let distance = 12
    /// Facts of the day, the most telling first.
    private static let tellings: [Set<String>] = [["overByHours", "underByHours"], ["phoneUseHours"], ["firstUseTime"]]

    /// Ids, each once; the one told last comes last.
    private(set) var told: [String] = []
    private var today: [String] = []
    private var count = 0

    mutating func beginDay() { today = [] }

    /// The next of `group`, in each language's words; nil when no text can be told. Never one of today, of the last 12, with the last one's
    /// skeleton, or whose facts are missing. Texts that say how the day stands to its goal come before those that only count the use, and
    /// these before those that only know when it began. Of equal ones, one that was never told comes first, by the seed; when all were, the
    /// one told longest ago.
    mutating func choose(_ group: MessageGroup, _ facts: MessageFacts, seed: UInt64, from book: MessageBook) -> Message? {
        let recent = Set(told.suffix(Self.distance) + today)
        let last = told.last.flatMap { book.skeleton(of: $0) }
        let possible = book[group].filter { message in
            !recent.contains(message.id) && message.skeleton != last
                && message.en.placeholders.allSatisfy { facts.en[$0] != nil && facts.de[$0] != nil }
        }
        let candidates = Self.tellings.lazy.map { facts in possible.filter { !$0.en.placeholders.isDisjoint(with: facts) } }
            .first { !$0.isEmpty } ?? possible
        let ages = Dictionary(uniqueKeysWithValues: told.enumerated().map { ($1, $0) })
        let new = candidates.filter { ages[$0.id] == nil }
        let oldest = candidates.min { ages[$0.id, default: 0] < ages[$1.id, default: 0] }
        let chosen = new.isEmpty ? oldest : new[Int(unitInterval(splitMix(seed, count + 1)) * Double(new.count))]
        guard let chosen, let en = chosen.en.filled(facts.en), let de = chosen.de.filled(facts.de) else { return nil }
        count += 1
        told.removeAll { $0 == chosen.id }
        told.append(chosen.id)
        today.append(chosen.id)
        return Message(id: chosen.id, text: Words(en: en, de: de))
    }

    /// Whether it can be what these rules wrote.
    var isWell: Bool { told.count <= 280 && Set(told).count == told.count && (0...1_000_000_000).contains(count) && today.count <= 280 }

    struct Message: Equatable, Sendable {
        var id: String
        var text: Words
    }
}
