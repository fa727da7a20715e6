import Calendar
import Experience
import Fields
import Signals
import Units

/// A piece to throw away whose run is a household's: it counts the coins that are put in, day after day.
public struct PiggyBank: Experience {
    /// Somebody puts a coin in. The same coin again, by its key, counts once.
    public struct Coin: ActionBody {
        public var amount: Int
        public var key: String

        public init(amount: Int, key: String) {
            self.amount = amount
            self.key = key
        }

        public var name: String { "bank.put" }

        public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
            try container.encode(amount, forKey: Fields.Key("amount"))
            try container.encode(key, forKey: Fields.Key("key"))
        }
    }

    public enum Query: QueryBody { case sum }

    public struct Answer: Encodable, Equatable, Sendable {
        public var sum: Int
        public var visits: Int
    }

    public struct Memory: PieceMemory {
        public var sum: Int
        /// The key of the last coin; nil before the first.
        public var last: String?

        public init(sum: Int, last: String?) {
            self.sum = sum
            self.last = last
        }

        public init(_ fields: Fields) throws {
            try fields.refuseAll(but: ["sum", "last"])
            sum = try fields.integer("sum", in: 0...Int(Int32.max))
            last = try fields.textIfPresent("last")
        }

        public var json: JSONValue {
            .object(["sum": .integer(Int64(sum))].merging(last.map { ["last": .text($0)] } ?? [:]) { own, _ in own })
        }
    }

    public static let declaration: Declaration = {
        guard let four = LocalTime("04:00") else { preconditionFailure("it is a time") }
        return Declaration(
            name: "piggy-bank", rulesVersion: 1, about: "counts coins",
            actions: [
                ActionDeclaration("bank.put", about: "A coin is put in.") {
                    Coin(amount: try $0.integer("amount", in: 1...1_000), key: try $0.text("key", limit: 64, about: "tells the coin from others"))
                },
            ],
            queries: [
                QueryDeclaration("bank.sum", about: "How much is in it.", result: "sum", examples: [Answer(sum: 0, visits: 0)]) { _ in Query.sum },
            ],
            policy: .household(rollOver: four),
            visitors: [VisitorDeclaration("saver", about: "Puts a coin in now and then.") { Saver(draws: $0) }])
    }()

    private var sum = 0
    private var last: String?
    /// In this run.
    private var visits = 0

    public init(_ opening: Opening) {}

    public mutating func begin(at civilTime: CivilTime, _ memory: Memory?) -> Effects {
        sum = memory?.sum ?? 0
        last = memory?.last
        return Effects()
    }

    public mutating func reduce(_ input: Input<Coin>, at time: Frame) -> Effects {
        switch input {
        case .move(let coin):
            if coin.key != last {
                sum += coin.amount
                last = coin.key
            }
            // Also for a coin that is in already: whoever puts it in again is not answered before it is kept.
            return Effects(result: .object(["sum": .integer(Int64(sum))]),
                           ledger: [LedgerEntry(key: coin.key, kind: "coin", transfers: [Transfer(coin.amount, of: "coins", from: "saver", to: "bank")])])
        case .visit(.began):
            visits += 1
            return Effects()
        case .touch(_, let usual), .tone(_, let usual), .other(let usual): return Effects(cues: usual)
        case .tap, .swipe, .tick, .knob, .theme, .visit: return Effects()
        }
    }

    public func answer(_ query: Query, at time: Frame) throws(Fault) -> any Encodable & Sendable { Answer(sum: sum, visits: visits) }

    public var memory: Memory? { Memory(sum: sum, last: last) }
}

private struct Saver: SimulatedVisitor {
    var draws: SplitMix64
    var coins = 0

    mutating func next(in piece: any Experience, at seconds: Double) -> [VisitorStep] {
        coins += 1
        return [VisitorStep(after: 1, .action(Action(PiggyBank.Coin(amount: 1 + draws.below(20), key: "coin-\(coins)"))))]
    }
}
