/// What is counted in the books.
public enum Currency: String, CaseIterable, Codable, Sendable { case energy, gems }

/// Where Energy and Gems are, or where they came from and went to. Each account is of one currency; the accounts of a currency sum to zero.
public enum Account: String, CaseIterable, Codable, Sendable {
    case energyWallet = "wallet.energy"
    case gemsWallet = "wallet.gems"
    /// The source of Energy that the rules award: below zero by what they awarded, less what was returned.
    case energyIssued = "issued.energy"
    /// The source of Gems that are bought: below zero by what was ever bought, less refunds and what was returned.
    case gemsIssued = "issued.gems"
    /// The source of Gems that staying away earns: below zero by what it has earned.
    case gemsEarned = "earned.gems"
    /// The source of what operators give: below zero by what they gave.
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
