import Experience
import Fields

/// A transfer of Energy, Gems or both between accounts. It is never changed, and its postings sum to zero in each currency.
struct Movement: Codable, Equatable, Sendable {
    /// The reason of a movement.
    enum Kind: String, CaseIterable, Codable, Sendable {
        case welcome, award, food, cosmetic, cure, revive, restart, purchase, refund
        /// Kinds that only walk-ups and operators need: Gems for keeping hands off the screen, an operator's gift, a meal of the house's
        /// pet for visitors' good days, and the return of what a guest left behind.
        case away, gift, treat, returned
    }

    /// An amount that goes from one account to another of the same currency.
    struct Leg: Codable, Equatable, Sendable {
        let from: Account
        let to: Account
        /// The amount, which is more than 0.
        let amount: Int

        fileprivate init?(_ amount: Int, from: Account, to: Account) {
            guard amount > 0 else { return nil }
            (self.from, self.to, self.amount) = (from, to, amount)
        }

        var isWell: Bool { from.currency == to.currency && (1...Transfer.amounts.upperBound).contains(amount) }
    }

    /// The amounts that a movement transfers.
    struct Sum: Equatable, Sendable {
        fileprivate let legs: [Leg]

        private init(_ legs: Leg?...) { self.legs = legs.compactMap { $0 } }

        static func awarded(_ energy: Int) -> Sum { Sum(Leg(energy, from: .energyIssued, to: .energyWallet)) }
        static func eaten(_ energy: Int) -> Sum { Sum(Leg(energy, from: .energyWallet, to: .food)) }
        static func dressed(_ price: Cosmetic.Price) -> Sum {
            Sum(Leg(price.energy, from: .energyWallet, to: .energyCosmetics), Leg(price.gems, from: .gemsWallet, to: .gemsCosmetics))
        }
        static func healed(_ gems: Int) -> Sum { Sum(Leg(gems, from: .gemsWallet, to: .recovery)) }
        /// Returns the transfer of Gems that a receipt proves to be bought.
        static func bought(_ gems: Int) -> Sum { Sum(Leg(gems, from: .gemsIssued, to: .gemsWallet)) }
        static func stayedAway(_ gems: Int) -> Sum { Sum(Leg(gems, from: .gemsEarned, to: .gemsWallet)) }
        /// Returns the transfer of what an operator gave.
        static func given(energy: Int, gems: Int) -> Sum {
            Sum(Leg(energy, from: .energyGiven, to: .energyWallet), Leg(gems, from: .gemsGiven, to: .gemsWallet))
        }
        /// Returns the transfer of Energy that the rules award and the house's pet eats at once.
        static func treated(_ energy: Int) -> Sum { Sum(Leg(energy, from: .energyIssued, to: .food)) }
        /// Returns the transfer that gives the Energy and Gems of a guest who has left back to their sources.
        static func returned(energy: Int, gems: Int) -> Sum {
            Sum(Leg(energy, from: .energyWallet, to: .energyIssued), Leg(gems, from: .gemsWallet, to: .gemsIssued))
        }
        /// Returns the transfer that takes back a purchase.
        static func refunded(_ gems: Int) -> Sum { Sum(Leg(gems, from: .gemsWallet, to: .gemsIssued)) }
    }

    /// The cause of a movement, by which a repetition is recognized.
    enum Key: Codable, Equatable, Sendable {
        /// An action, by the idempotency key that its sender chose.
        case action(String)
        /// The rules; the text says by what, for instance `award 20454` for the award of day 20454.
        case rules(String)

        var text: String {
            switch self {
            case .action(let text), .rules(let text): text
            }
        }
    }

    /// The movement's number in the household, counted from 1.
    let number: Int
    let kind: Kind
    let key: Key
    /// The time of the movement, in the piece's seconds.
    let at: Int
    /// The id of the food, cosmetic or product; for a gift, the name of the giver; nil for kinds that need neither.
    let item: String?
    let legs: [Leg]

    init(number: Int, _ kind: Kind, _ sum: Sum, key: Key, item: String? = nil, at: Int) {
        self.number = number
        self.kind = kind
        self.key = key
        self.at = at
        self.item = item
        legs = sum.legs
    }

    /// The changes of accounts' balances: two for each leg, which sum to zero.
    var postings: [(account: Account, amount: Int)] { legs.flatMap { [($0.from, -$0.amount), ($0.to, $0.amount)] } }

    /// The movement as an entry of the ledger. Nothing else writes movements to the ledger.
    var entry: LedgerEntry {
        LedgerEntry(key: ledgerKey, kind: kind.rawValue, transfers: legs.map {
            Transfer($0.amount, of: $0.from.currency.rawValue, from: $0.from.rawValue, to: $0.to.rawValue)
        }, note: item.map { .object([kind == .gift ? "by" : "item": .text($0)]) })
    }

    /// The key of the movement's ledger entry. For an action it is the action's own key. For a movement by the rules it has spaces, which
    /// no action's key has. It also has the time, because a household whose memory was lost counts its movements from 0 again.
    private var ledgerKey: String {
        switch key {
        case .action(let key): key
        case .rules(let key): "\(key) \(at) \(number)"
        }
    }

    /// The greatest length of a key: a receipt's key is a word, an amount and a transaction's ID of at most 64 characters.
    private static let longestKey = 90

    /// Whether the movement is valid: whether this version of the rules can have stored it.
    var isWell: Bool { number > 0 && key.text.count <= Self.longestKey && legs.allSatisfy(\.isWell) }
}
