/// Health, exactly: 100 ÷ n HP is a whole number of parts for each n up to 10.
struct Health: Codable, Equatable, Sendable {
    /// The parts of one HP: the smallest number that 1 to 10 divide.
    static let partsPerPoint = 2_520
    static let full = 100 * partsPerPoint

    let counting: Counting
    /// The parts of the pool, or of each app.
    private(set) var shares: [Int]

    /// Full.
    init(_ plan: Plan) {
        counting = plan.counting
        let count = plan.counting == .perApp ? max(1, plan.apps.count) : 1
        shares = Array(repeating: Self.full / count, count: count)
    }

    /// Makes the health of a cat that has `lives` of `most`: that share of the pool, or of each app's, rounded down.
    init(_ plan: Plan, lives: Int, of most: Int) {
        self.init(plan)
        shares = shares.map { $0 * lives / most }
    }

    /// The cat's.
    var total: Int { shares.reduce(0, +) }
    var isDead: Bool { total == 0 }

    /// What an app may have at most.
    var mostOfApp: Int { Self.full / shares.count }

    /// The pool, or the app's own.
    func left(ofApp app: Int) -> Int { counting == .perApp ? shares[app] : shares[0] }

    /// An app is opened anyway. Returns what was lost.
    mutating func bypass(_ app: Int) -> Int {
        let place = counting == .perApp ? app : 0
        let lost = min(shares[place], counting.cost * Self.partsPerPoint)
        shares[place] -= lost
        return lost
    }

    /// Each share is `points` hundredths of what it can be, at least. Returns the parts that were gained.
    mutating func rise(to points: Int) -> Int {
        let before = total
        let least = mostOfApp * points / 100
        shares = shares.map { max($0, least) }
        return total - before
    }

    /// Whether it can be the health under `plan`.
    func fits(_ plan: Plan) -> Bool {
        let full = Health(plan)
        return counting == plan.counting && shares.count == full.shares.count && shares.allSatisfy { (0...full.mostOfApp).contains($0) }
    }

    /// Returns `parts` in HP, to a hundredth.
    static func points(_ parts: Int) -> Double { (Double(parts) * 100 / Double(partsPerPoint)).rounded() / 100 }
}
