import Units

/// The cat's health as an exact whole number of parts. 100 ÷ n HP is a whole number of parts for each n from 1 to 10.
struct Health: Codable, Equatable, Sendable {
    /// The number of parts in one HP: the smallest number that all of 1 to 10 divide.
    static let partsPerPoint = 2_520
    static let full = 100 * partsPerPoint

    let counting: Counting
    /// The health that is left, in parts: one number for the pool, or one number for each app, in the plan's order.
    private(set) var shares: [Int]

    /// Makes full health.
    init(_ plan: Plan) {
        counting = plan.counting
        let count = plan.counting == .perApp ? max(1, plan.apps.count) : 1
        shares = Array(repeating: Self.full / count, count: count)
    }

    /// Makes the health of a cat that has `lives` of `most` lives: that fraction of the pool, or of each app's share, rounded down.
    init(_ plan: Plan, lives: Int, of most: Int) {
        self.init(plan)
        shares = shares.map { $0 * lives / most }
    }

    /// The health of the cat as a whole, in parts: the sum of `shares`.
    var total: Int { shares.reduce(0, +) }
    var isDead: Bool { total == 0 }

    /// The full size of one share, in parts: of the pool, or of an app's own health.
    var mostOfApp: Int { Self.full / shares.count }

    /// Returns the parts that are left in the pool, or in the app's own share.
    func left(ofApp app: Int) -> Int { counting == .perApp ? shares[app] : shares[0] }

    /// Takes the price of opening the shielded app `app` from the health. Returns the parts that were lost.
    mutating func bypass(_ app: Int) -> Int {
        let index = counting == .perApp ? app : 0
        let lost = min(shares[index], counting.cost * Self.partsPerPoint)
        shares[index] -= lost
        return lost
    }

    /// Raises each share to at least `points` hundredths of its maximum. Returns the parts that were gained.
    mutating func rise(to points: Int) -> Int {
        let before = total
        let least = mostOfApp * points / 100
        shares = shares.map { max($0, least) }
        return total - before
    }

    /// Whether a cat with `plan` can have this health.
    func fits(_ plan: Plan) -> Bool {
        let full = Health(plan)
        return counting == plan.counting && shares.count == full.shares.count && shares.allSatisfy { (0...full.mostOfApp).contains($0) }
    }

    /// Returns `parts` in HP, to a hundredth.
    static func points(_ parts: Int) -> Double { (Double(parts) * 100 / Double(partsPerPoint)).rounded() / 100 }
}

/// How health is shared among the apps.
public enum Counting: String, CaseIterable, Codable, Sendable {
    /// All apps share one pool of 100 HP. A bypass costs 5 HP.
    case global
    /// Each of n apps has 100 ÷ n HP of its own. A bypass of an app costs 10 HP of that app's own health.
    case perApp = "per-app"

    /// The HP that opening a shielded app (a bypass) costs. It takes only what is left where fewer HP are left.
    var cost: Int {
        switch self {
        case .global: 5
        case .perApp: 10
        }
    }

    /// The range of cooldowns in any way of counting, in minutes.
    static let cooldowns = 10...60

    /// The cooldowns that this way of counting allows, in minutes.
    var allowedCooldowns: [Int] {
        switch self {
        case .global: [10, 20, 30, 45, 60]
        case .perApp: Array(Self.cooldowns)
        }
    }
}

/// The apps among which health is shared, and how. A plan applies to a whole day, because a change during a day could heal.
struct Plan: Codable, Equatable, Sendable {
    static let mostApps = 10

    var counting: Counting
    /// The names of the apps, each once; at most `mostApps`.
    var apps: [String]

    func index(of app: String) -> Int? { apps.firstIndex(of: app) }

    /// The names of the apps on an exhibition's phone that nobody has set up.
    static let exhibited = ["Chat", "Photos", "Clips", "News"]
}

/// A range of health, in steps of the fall. A band reaches from its own number of HP down to that of the next band, which is no longer in
/// it. The cat says no message in the band at 100.
enum Band: Int, CaseIterable, Codable, Sendable {
    case full = 100, eighty = 80, sixty = 60, forty = 40, twenty = 20, ten = 10, zero = 0

    var parts: Int { rawValue * Health.partsPerPoint }

    /// Creates the band that contains a health of `parts` parts.
    init(_ parts: Int) { self = Self.allCases.last { parts <= $0.parts } ?? .full }

    /// Returns the bands into which health falls when it goes from `before` to `after`, both in parts; the highest band first.
    static func crossed(from before: Int, to after: Int) -> [Band] { allCases.filter { before > $0.parts && after <= $0.parts } }
}

/// How well the cat is.
public enum Condition: String, CaseIterable, Codable, Sendable {
    case healthy, concerned, tired, weak, dead

    init(_ parts: Int) {
        switch Band(parts) {
        case .full: self = .healthy
        case .eighty: self = .concerned
        case .sixty: self = .tired
        case .forty, .twenty, .ten: self = .weak
        case .zero: self = .dead
        }
    }

    /// The colour of the bar that shows the cat's health.
    var bar: String {
        switch self {
        case .healthy, .concerned: "green"
        case .tired: "orange"
        case .weak, .dead: "red"
        }
    }

    /// The name of the theme's texture for the cat's purr; nil for a dead cat, which does not purr.
    var purr: String? { self == .dead ? nil : "purr-" + rawValue }

    /// The name of the theme's chime for the cat's voice.
    var mew: String { "mew-" + rawValue }

    /// The time from one mew to the next while the cat is stroked.
    var mewInterval: Seconds { self == .concerned ? Seconds(5) : Seconds(8) }

    /// The tone in which the cat speaks, in a word.
    var tone: String {
        switch self {
        case .healthy: "playful"
        case .concerned: "concerned"
        case .tired: "strained"
        case .weak: "faint"
        case .dead: "dead"
        }
    }
}
