/// Days in a row that ended above 40 HP, and what was achieved.
struct Streaks: Codable, Equatable, Sendable {
    /// A day counts that ends above so many parts.
    static let above = Band.forty.rawValue * Health.partsPerPoint
    /// Days in a row are not counted further.
    private static let most = 1_000_000

    private(set) var current = 0
    private(set) var longest = 0
    private(set) var achievements: [Achievement] = []

    /// Whether these rules can have written it.
    var isWell: Bool { (0...Self.most).contains(current) && (current...Self.most).contains(longest) }

    /// A day is over. Returns what was achieved by it for the first time.
    mutating func end(_ day: DayRecord, after yesterday: DayRecord?) -> [Achievement] {
        current = day.parts > Self.above ? min(Self.most, current + 1) : 0
        longest = max(longest, current)
        let new = Achievement.allCases.filter { !achievements.contains($0) && $0.isReached(day, after: yesterday, streak: current) }
        achievements += new
        return new
    }
}

public enum Achievement: String, CaseIterable, Codable, Sendable {
    /// Days in a row that ended above 40 HP.
    case firstGoodDay = "first-good-day", threeDays = "three-days", week, month
    /// A day on which nothing was opened.
    case untouchedDay = "untouched-day"
    /// A day within its goal on which something was opened.
    case withinGoal = "within-goal"
    /// A day above 40 HP after one that ended at 0.
    case comeback

    fileprivate func isReached(_ day: DayRecord, after yesterday: DayRecord?, streak: Int) -> Bool {
        switch self {
        case .firstGoodDay: streak >= 1
        case .threeDays: streak >= 3
        case .week: streak >= 7
        case .month: streak >= 30
        case .untouchedDay: day.bypasses == 0
        case .withinGoal: day.bypasses > 0 && day.goal.map { day.use <= $0 * 60 } ?? false
        case .comeback: yesterday?.parts == 0 && day.parts > Streaks.above
        }
    }
}
