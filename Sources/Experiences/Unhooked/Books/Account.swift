/// What is counted in the books.
public enum Currency: String, CaseIterable, Codable, Sendable { case energy, gems }

/// Where Energy and Gems are, or where they came from and went to. Each account is of one currency; the accounts of a currency sum to zero.
public enum Account: String, CaseIterable, Codable, Sendable {
    case energyWallet = "wallet.energy"
    case gemsWallet = "wallet.gems"
    /// Below zero by what was ever awarded or given.
    case energyIssued = "issued.energy"
    /// Below zero by what was ever bought, less refunds.
    case gemsIssued = "issued.gems"
    /// Below zero by what staying away has earned.
    case gemsEarned = "earned.gems"
    /// Below zero by what operators gave.
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
