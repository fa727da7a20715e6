import Fields

/// A household's accounts. A balance is the sum of all postings, and only a movement changes it.
struct Books: Codable, Equatable, Sendable {
    /// The number of latest movements that are stored together with the answers to their actions. If one of these actions is repeated, it
    /// gets the same answer. For older actions, the state database knows the keys.
    static let mostAnswers = 32

    /// A movement of the books, with the answer to the action that made it. The answer is nil where rules and no action made it.
    struct Answered: Codable, Equatable, Sendable {
        var movement: Movement
        var answer: JSONValue?
    }

    private(set) var balances: [Account: Int] = [:]
    /// The last movements, oldest first.
    private(set) var recent: [Answered] = []
    /// The number of movements so far.
    private(set) var count = 0

    func balance(_ account: Account) -> Int { balances[account, default: 0] }
    func wallet(_ currency: Currency) -> Int { balance(.wallet(currency)) }

    /// Returns the sum of all accounts of a currency. It is zero, because each movement takes from one account what it gives to another.
    func sum(_ currency: Currency) -> Int { balances.reduce(0) { $0 + ($1.key.currency == currency ? $1.value : 0) } }

    /// Whether the household's wallet holds at least `amount` of a currency. A wallet below zero holds nothing.
    func has(_ amount: Int, _ currency: Currency) -> Bool { amount == 0 || wallet(currency) >= amount }

    /// Enters a new movement into the books and changes the balances by it. Returns the movement.
    @discardableResult
    mutating func enter(_ kind: Movement.Kind, _ sum: Movement.Sum, key: Movement.Key, item: String? = nil, at: Int) -> Movement {
        count += 1
        let movement = Movement(number: count, kind, sum, key: key, item: item, at: at)
        for posting in movement.postings { balances[posting.account, default: 0] += posting.amount }
        recent = (recent + [Answered(movement: movement)]).suffix(Self.mostAnswers)
        return movement
    }

    /// Adds the accounts of another household to these. The two households must have no movement in common.
    mutating func add(_ others: Books) {
        for (account, balance) in others.balances { balances[account, default: 0] += balance }
    }

    /// Stores the answer to the action that made the last movement.
    mutating func answer(_ answer: JSONValue) {
        if let last = recent.indices.last { recent[last].answer = answer }
    }

    /// Returns the movement that the action with this key has made, with its answer; nil if it is not among the recent ones.
    func answered(_ key: String) -> Answered? { recent.last { $0.movement.key == .action(key) } }

    /// Whether the values are valid: whether this version of the rules can have stored them.
    var isWell: Bool {
        Currency.allCases.allSatisfy { sum($0) == 0 } && balances.values.allSatisfy { abs(Double($0)) <= 1e12 }
            && recent.count <= Self.mostAnswers && recent.allSatisfy(\.movement.isWell)
            && (recent.count...1_000_000_000).contains(count) && (0...Int.max).contains(wallet(.energy))
    }

    // Balances are stored by the names of the accounts, so that other programs can read a memory.
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

/// The currencies of the books.
public enum Currency: String, CaseIterable, Codable, Sendable { case energy, gems }

/// The accounts of Energy and Gems: wallets, sources and purposes. Each account has one currency; all accounts of a currency sum to zero.
public enum Account: String, CaseIterable, Codable, Sendable {
    case energyWallet = "wallet.energy"
    case gemsWallet = "wallet.gems"
    /// The source of Energy that the rules award. Its balance is what was returned minus what was awarded.
    case energyIssued = "issued.energy"
    /// The source of Gems that are bought. Its balance is what was refunded or returned minus what was bought.
    case gemsIssued = "issued.gems"
    /// The source of Gems that staying away from the screen earns. Its balance is negative by what was earned.
    case gemsEarned = "earned.gems"
    /// The sources of what operators give. Their balances are negative by what was given.
    case energyGiven = "given.energy"
    case gemsGiven = "given.gems"
    case food = "spent.food"
    case energyCosmetics = "spent.cosmetics.energy"
    case gemsCosmetics = "spent.cosmetics.gems"
    case recovery = "spent.recovery"

    public var currency: Currency {
        switch self {
        case .energyWallet, .energyIssued, .energyGiven, .food, .energyCosmetics: .energy
        case .gemsWallet, .gemsIssued, .gemsEarned, .gemsGiven, .gemsCosmetics, .recovery: .gems
        }
    }

    static func wallet(_ currency: Currency) -> Account { currency == .energy ? .energyWallet : .gemsWallet }
}
