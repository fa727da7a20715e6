import Calendar

/// The last seven days that were lived, for a dashboard.
public struct Week: Encodable, Equatable, Sendable {
    /// Oldest first; without today.
    public var days: [DayFigures]
    public var useMinutes: Double
    public var bypasses: Int
    /// The mean health at the days' ends; nil without days.
    public var averageHp: Double?
    /// Days that ended above 40 HP.
    public var goodDays: Int
    /// Days within their goals, of those that had one.
    public var withinGoal: Int
    public var withGoal: Int
    public var streak: Int
    public var longestStreak: Int
    public var achievements: [Achievement]

    init(_ cat: Cat, _ time: PieceTime) {
        let records = cat.history.filter { $0.day >= cat.day - 7 && $0.day < cat.day }
        days = records.map { DayFigures($0, time) }
        useMinutes = (Double(records.reduce(0) { $0 + $1.use }) / 6).rounded() / 10
        bypasses = records.reduce(0) { $0 + $1.bypasses }
        averageHp = records.isEmpty ? nil : Health.points(records.reduce(0) { $0 + $1.parts } / records.count)
        goodDays = records.count { $0.parts > Streaks.above }
        let goals = records.compactMap { record in record.goal.map { record.use <= $0 * 60 } }
        withGoal = goals.count
        withinGoal = goals.count { $0 }
        streak = cat.streaks.current
        longestStreak = cat.streaks.longest
        achievements = cat.streaks.achievements
    }
}

/// Days that are kept, oldest first.
public struct History: Encodable, Equatable, Sendable {
    public var days: [DayFigures]

    init(_ cat: Cat, _ time: PieceTime) { days = cat.history.map { DayFigures($0, time) } }
}
