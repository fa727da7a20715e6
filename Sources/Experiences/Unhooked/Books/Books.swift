import Fields

/// A household's accounts. A balance is the sum of all postings, and only a movement changes it.
struct Books: Codable, Equatable, Sendable {
    /// Movements that are kept with their answers: an action that comes again within them gets its answer again. The state database knows
    /// the keys of all.
    static let mostAnswers = 32

    /// A movement, and what the action was answered that made it; nil where the rules did.
    struct Answered: Codable, Equatable, Sendable {
        var movement: Movement
        var answer: JSONValue?
    }

    private(set) var balances: [Account: Int] = [:]
    /// Oldest first.
    private(set) var recent: [Answered] = []
    /// Movements so far.
    private(set) var count = 0

    func balance(_ account: Account) -> Int { balances[account, default: 0] }
    func wallet(_ currency: Currency) -> Int { balance(.wallet(currency)) }

    /// Zero, at every moment.
    func sum(_ currency: Currency) -> Int { balances.reduce(0) { $0 + ($1.key.currency == currency ? $1.value : 0) } }

    /// Whether a wallet has so much. One below zero has nothing.
    func has(_ amount: Int, _ currency: Currency) -> Bool { amount == 0 || wallet(currency) >= amount }

    /// Enters a movement.
    @discardableResult
    mutating func enter(_ kind: Movement.Kind, _ sum: Movement.Sum, key: Movement.Key, item: String? = nil, at: Int) -> Movement {
        count += 1
        let movement = Movement(number: count, kind, sum, key: key, item: item, at: at)
        for posting in movement.postings { balances[posting.account, default: 0] += posting.amount }
        recent = (recent + [Answered(movement: movement)]).suffix(Self.mostAnswers)
        return movement
    }

    /// Another household's accounts are this one's, too. No movement of either is one of the other.
    mutating func add(_ others: Books) {
        for (account, balance) in others.balances { balances[account, default: 0] += balance }
    }

    /// What the last movement's action is answered.
    mutating func answer(_ answer: JSONValue) {
        if let last = recent.indices.last { recent[last].answer = answer }
    }

    /// What the action of this key was answered; nil for none that is known.
    func answered(_ key: String) -> Answered? { recent.last { $0.movement.key == .action(key) } }

    /// Whether these rules can have written it.
    var isWell: Bool {
        Currency.allCases.allSatisfy { sum($0) == 0 } && balances.values.allSatisfy { abs(Double($0)) <= 1e12 }
            && recent.count <= Self.mostAnswers && recent.allSatisfy(\.movement.isWell)
            && (recent.count...1_000_000_000).contains(count) && (0...Int.max).contains(wallet(.energy))
    }

    // Balances by their names, so that a memory can be read without this program.
    private enum CodingKeys: CodingKey { case balances, recent, count }

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let named = try container.decode([String: Int].self, forKey: .balances)
        for (name, balance) in named {
            guard let account = Account(rawValue: name), abs(Double(balance)) <= 1e12 else {
                throw DecodingError.dataCorruptedError(forKey: .balances, in: container, debugDescription: "no account is called so")
            }
            balances[account] = balance
        }
        recent = try container.decode([Answered].self, forKey: .recent)
        count = try container.decode(Int.self, forKey: .count)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(Dictionary(uniqueKeysWithValues: balances.map { ($0.key.rawValue, $0.value) }), forKey: .balances)
        try container.encode(recent, forKey: .recent)
        try container.encode(count, forKey: .count)
    }
}
