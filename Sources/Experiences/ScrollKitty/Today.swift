/// The figures of the day that is lived.
struct Today: Codable, Equatable, Sendable {
    /// Health after something was lost.
    struct Point: Codable, Equatable, Sendable {
        /// The second of the day.
        var second: Int
        /// The app, by its place in the plan.
        var app: Int
        /// What was left, in parts.
        var parts: Int
    }

    /// The most bypasses of an app that are counted: where its own health is at 0, one costs nothing.
    static let mostBypasses = 100_000
    static let mostPoints = 100

    /// The bypasses of each app, at most `mostBypasses`.
    var bypasses: [Int]
    /// The use of each app, in the piece's seconds, without what is open now.
    var use: [Int]
    /// The last `mostPoints`. A day has 20, because no more bypasses cost anything; only a house's cat that rests in between has more.
    var points: [Point] = []
    /// Seconds of the day.
    var firstUse: Int?
    var lastUse: Int?
    /// When 0 HP was reached, in seconds of the day.
    var terminalAt: Int?
    /// The bands that were crossed already.
    var bands: [Band] = []
    /// Whether the first event of the day has been.
    var isWelcomed = false
    /// Whether the evening's message has been told, or the terminal one.
    var hasNightly = false

    init(apps: Int) {
        bypasses = Array(repeating: 0, count: apps)
        use = Array(repeating: 0, count: apps)
    }

    /// Whether nothing was opened yet, and nothing was open from the day before.
    var isUntouched: Bool { points.isEmpty && use.allSatisfy { $0 == 0 } }
}

/// A day that is over.
struct DayRecord: Codable, Equatable, Sendable {
    /// Counted from 1970-01-01 by the piece's clock.
    var day: Int
    /// The health at the day's end, in parts.
    var parts: Int
    /// The use of all apps, in the piece's seconds.
    var use: Int
    var bypasses: Int
    /// The day's goal in minutes; nil for none.
    var goal: Int?
    /// Seconds of the day.
    var firstUse: Int?
    var lastUse: Int?
    var terminalAt: Int?
    /// Seconds of the day, and the health from then on, in parts.
    var points: [[Int]]
}
