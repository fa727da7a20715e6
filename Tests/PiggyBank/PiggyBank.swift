import Calendar
import Experience
import Fields
import Signals

/// A piece to throw away whose run is a household's: it counts the coins that are put in and taken out, day after day.
public struct PiggyBank: HouseholdPiece {
    /// Somebody puts coins in, or takes some out. The same again, by its key, counts once.
    public struct Coins: ActionBody {
        public enum Way: String, Sendable { case put, take }

        public var way: Way
        public var amount: Int
        /// Made by whoever asks.
        public var text: String

        public init(_ way: Way, amount: Int, key: String) {
            self.way = way
            self.amount = amount
            text = key
        }

        init(_ way: Way, _ fields: Fields) throws {
            self.init(way, amount: try fields.integer("amount", in: 1...1_000),
                      key: try fields.text("key", limit: 64, about: "tells the coins from others"))
        }

        public var name: String { "bank.\(way)" }
        public var key: ActionKey? { ActionKey(text) }

        public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
            try container.encode(amount, forKey: Fields.Key("amount"))
            try container.encode(text, forKey: Fields.Key("key"))
        }
    }

    /// What the piece acts on.
    public enum Move: ActionBody {
        case coins(Coins)
        /// Coins that were bought: 100 or 500, as the product says.
        case purchase(Purchase)

        private var body: any ActionBody {
            switch self {
            case .coins(let coins): coins
            case .purchase(let purchase): BoughtCoins(purchase: purchase)
            }
        }

        public var name: String { body.name }
        public var key: ActionKey? { body.key }
        public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws { try body.encode(into: &container) }
    }

    private struct BoughtCoins: ActionBody {
        var purchase: Purchase
        var name: String { "bank.bought" }
        var key: ActionKey? { purchase.key }
        func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws { try purchase.encode(into: &container) }
    }

    private static let products = ["coins_100": 100, "coins_500": 500]

    public enum Query: QueryBody { case sum }

    public struct Answer: Encodable, Equatable, Sendable {
        public var sum: Int
        public var visits: Int
    }

    public struct Memory: PieceMemory {
        public var sum: Int

        public init(sum: Int) { self.sum = sum }

        public init(_ fields: Fields) throws {
            try fields.refuseAll(but: ["sum"])
            sum = try fields.integer("sum", in: -(1 << 53)...(1 << 53))
        }

        public var json: JSONValue { .object(["sum": .integer(Int64(sum))]) }
    }

    public static let declaration: Declaration = {
        guard let four = LocalTime("04:00") else { preconditionFailure("it is a time") }
        return Declaration(
            name: "piggy-bank", rulesVersion: 1, about: "counts coins",
            actions: [
                ActionDeclaration("bank.put", about: "Coins are put in.", isForHousehold: true) { Move.coins(try Coins(.put, $0)) },
                ActionDeclaration("bank.take", about: "Coins are taken out.", isForHousehold: true) { Move.coins(try Coins(.take, $0)) },
            ],
            purchase: PurchaseDeclaration("bank.bought", about: "Coins were bought, or refunded.") { Move.purchase($0) },
            queries: [
                QueryDeclaration("bank.sum", about: "How much is in it.", result: "sum", examples: [Answer(sum: 0, visits: 0)]) { _ in Query.sum },
            ],
            configurations: [Terms.declaration], forecast: Terms.forecast, policy: .household(rollOver: four),
            visitors: [VisitorDeclaration("saver", about: "Puts a coin in now and then.") { Saver(draws: $0) }])
    }()

    public struct Home: LivesByDays, Equatable, Sendable {
        public var days: Days
        public var sum: Int
    }

    public var home: Home
    public var life: Life<Memory>
    private var terms = Terms()
    /// In this run.
    private var visits = 0

    public init(_ opening: Opening) {
        life = Life(opening)
        home = Home(days: .unread, sum: 0)
    }

    public func recall(_ memory: Memory?, _ days: Days) -> Home { Home(days: days, sum: memory?.sum ?? 0) }
    public func remembered(after last: Memory?) -> Memory { Memory(sum: home.sum) }

    public static func merged(_ other: Memory, into memory: Memory) throws(Fault) -> Memory { Memory(sum: memory.sum + other.sum) }

    public func refusal(of move: Move, at now: Moment) -> Fault? { refusal(of: move) }

    private func refusal(of move: Move) -> Fault? {
        switch move {
        case .coins(let coins) where coins.way == .take && coins.amount > home.sum:
            Fault(field: "amount", expected: "at most what is in it, \(home.sum)", found: "\(coins.amount)")
        case .coins(let coins) where coins.way == .put && home.sum + coins.amount + terms.bonus > terms.capacity:
            Fault(field: "amount", expected: "at most \(max(0, terms.capacity - terms.bonus - home.sum)), which still fits in",
                  found: "\(coins.amount)")
        case .purchase(let purchase) where Self.products[purchase.productId] == nil:
            Fault(field: "productId", expected: "one of " + Self.products.keys.sorted().joined(separator: ", "), found: purchase.productId)
        case .purchase(let purchase): purchase.refusal(ofRefundOf: Self.worth(of: purchase))
        case .coins: nil
        }
    }

    private static func worth(of purchase: Purchase) -> Int { (products[purchase.productId] ?? 0) * purchase.quantity }

    public func refund(_ purchase: Purchase, of memory: Memory, at civilTime: CivilTime) throws(Fault)
        -> (memory: Memory, entry: LedgerEntry) {
        var other = self
        other.home.sum = memory.sum
        if let fault = other.refusal(of: .purchase(purchase)) { throw fault }
        guard let entry = other.act(on: .purchase(purchase)).ledger.first else { throw Fault(field: "receipt", expected: "a refund") }
        return (Memory(sum: other.home.sum), entry)
    }

    public mutating func act(on move: Move, at now: Moment, _ time: Now) -> Effects { act(on: move) }

    private mutating func act(on move: Move) -> Effects {
        switch move {
        case .coins(let coins):
            let amount = coins.way == .put ? coins.amount + terms.bonus : -coins.amount
            return add(amount, from: "saver", key: coins.text, kind: coins.way.rawValue)
        case .purchase(let purchase):
            let coins = Self.worth(of: purchase)
            return add(purchase.isRefund ? -purchase.takesBack(of: coins) : coins, from: "store", key: purchase.key.text,
                       kind: purchase.isRefund ? "refund" : "purchase")
        }
    }

    public mutating func greet(at now: Moment) -> Effects {
        visits += 1
        return Effects()
    }

    public mutating func go(by document: any PieceDocument, _ version: Int) -> Effects {
        if let terms = document as? Terms { self.terms = terms }
        return Effects()
    }

    private mutating func add(_ amount: Int, from account: String, key: String, kind: String) -> Effects {
        home.sum += amount
        return Effects(result: .object(["sum": .integer(Int64(home.sum))]),
                       ledger: [LedgerEntry(key: key, kind: kind, transfers: [Transfer(amount, of: "coins", from: account, to: "bank")])])
    }

    public func answer(_ query: Query, at now: Now) throws(Fault) -> any Encodable & Sendable { Answer(sum: home.sum, visits: visits) }
}

private struct Saver: SimulatedVisitor {
    var draws: SplitMix64
    var coins = 0

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        coins += 1
        return [VisitorStep(after: 1, .action(Action(PiggyBank.Move.coins(
            PiggyBank.Coins(.put, amount: 1 + draws.below(20), key: "coin-\(coins)")))))]
    }
}
