import Experience
import Fields

/// Something that has moved between accounts, for ever. It is made of transfers, so its postings sum to zero in each currency.
struct Movement: Codable, Equatable, Sendable {
    /// What has moved, and why.
    enum Kind: String, CaseIterable, Codable, Sendable {
        case welcome, award, food, cosmetic, cure, revive, restart, purchase, refund
        /// Gems for hands off the screen; an operator's gift; a meal of the house's pet, by visitors' good days; what a guest has left.
        case away, gift, treat, returned
    }

    /// A sum that goes from one account to another of the same currency.
    struct Leg: Codable, Equatable, Sendable {
        let from: Account
        let to: Account
        /// More than 0.
        let amount: Int

        fileprivate init?(_ amount: Int, from: Account, to: Account) {
            guard amount > 0 else { return nil }
            (self.from, self.to, self.amount) = (from, to, amount)
        }

        var isWell: Bool { from.currency == to.currency && (1...Transfer.amounts.upperBound).contains(amount) }
    }

    /// What a movement is of.
    struct Sum: Equatable, Sendable {
        fileprivate let legs: [Leg]

        private init(_ legs: Leg?...) { self.legs = legs.compactMap { $0 } }

        static func awarded(_ energy: Int) -> Sum { Sum(Leg(energy, from: .energyIssued, to: .energyWallet)) }
        static func eaten(_ energy: Int) -> Sum { Sum(Leg(energy, from: .energyWallet, to: .food)) }
        static func dressed(_ price: Cosmetic.Price) -> Sum {
            Sum(Leg(price.energy, from: .energyWallet, to: .energyCosmetics), Leg(price.gems, from: .gemsWallet, to: .gemsCosmetics))
        }
        static func healed(_ gems: Int) -> Sum { Sum(Leg(gems, from: .gemsWallet, to: .recovery)) }
        /// Returns the sum of Gems that were bought by a receipt.
        static func bought(_ gems: Int) -> Sum { Sum(Leg(gems, from: .gemsIssued, to: .gemsWallet)) }
        static func stayedAway(_ gems: Int) -> Sum { Sum(Leg(gems, from: .gemsEarned, to: .gemsWallet)) }
        /// Returns the sum that an operator gave.
        static func given(energy: Int, gems: Int) -> Sum {
            Sum(Leg(energy, from: .energyGiven, to: .energyWallet), Leg(gems, from: .gemsGiven, to: .gemsWallet))
        }
        /// Earned and eaten in one.
        static func treated(_ energy: Int) -> Sum { Sum(Leg(energy, from: .energyIssued, to: .food)) }
        /// Returns the sum that goes back to where it came from.
        static func returned(energy: Int, gems: Int) -> Sum {
            Sum(Leg(energy, from: .energyWallet, to: .energyIssued), Leg(gems, from: .gemsWallet, to: .gemsIssued))
        }
        /// A purchase is taken back.
        static func refunded(_ gems: Int) -> Sum { Sum(Leg(gems, from: .gemsWallet, to: .gemsIssued)) }
    }

    /// Whose it is.
    enum Key: Codable, Equatable, Sendable {
        /// The idempotency key of an action, which whoever acted has chosen.
        case action(String)
        /// The rules did it: for instance `award 20454`.
        case rules(String)

        var text: String {
            switch self {
            case .action(let text), .rules(let text): text
            }
        }
    }

    /// Counted in the household from 1.
    let number: Int
    let kind: Kind
    let key: Key
    /// The moment of the movement, in the piece's seconds.
    let at: Int
    /// The food, the cosmetic, the product; of a gift who gave it; nil where the kind says it all.
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

    /// What each account gets.
    var postings: [(account: Account, amount: Int)] { legs.flatMap { [($0.from, -$0.amount), ($0.to, $0.amount)] } }

    /// The one place at which the books become entries of the ledger.
    var entry: LedgerEntry {
        LedgerEntry(key: ledgerKey, kind: kind.rawValue, transfers: legs.map {
            Transfer($0.amount, of: $0.from.currency.rawValue, from: $0.from.rawValue, to: $0.to.rawValue)
        }, note: item.map { .object([kind == .gift ? "by" : "item": .text($0)]) })
    }

    /// An action's own. The rules' have spaces, which no action's has, and what tells them from those of a life before, whose count was
    /// lost with its memory.
    private var ledgerKey: String {
        switch key {
        case .action(let key): key
        case .rules(let key): "\(key) \(at) \(number)"
        }
    }

    /// A receipt's key has its transaction's ID of at most 64 characters, and before it a word and an amount.
    private static let longestKey = 90

    /// Whether these rules can have written it.
    var isWell: Bool { number > 0 && key.text.count <= Self.longestKey && legs.allSatisfy(\.isWell) }
}
