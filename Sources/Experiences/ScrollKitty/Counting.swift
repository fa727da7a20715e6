import Signals

/// How health is counted.
public enum Counting: String, CaseIterable, Codable, Sendable {
    /// One pool of 100 HP. A bypass costs 5.
    case global
    /// Each app has 100 ÷ n HP of its own. A bypass costs its app 10.
    case perApp = "per-app"

    /// HP that a bypass costs, where there are as many.
    var cost: Int {
        switch self {
        case .global: 5
        case .perApp: 10
        }
    }

    /// Minutes that a cooldown may have.
    static let cooldowns = 10...60

    /// What it may be in this way of counting.
    var allowedCooldowns: [Int] {
        switch self {
        case .global: [10, 20, 30, 45, 60]
        case .perApp: Array(Self.cooldowns)
        }
    }
}

/// What health is counted over: for a whole day, because a change in the middle of it could heal.
struct Plan: Codable, Equatable, Sendable {
    static let mostApps = 10

    var counting: Counting
    /// Names, each once; at most `mostApps`.
    var apps: [String]

    func index(of app: String) -> Int? { apps.firstIndex(of: app) }

    /// The apps drawn on a phone that nobody has set up.
    static let exhibited = ["Chat", "Photos", "Clips", "News"]
}
