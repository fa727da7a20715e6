import Calendar
import Fields

/// The figures of a day as front ends receive them.
public struct DayFigures: Encodable, Equatable, Sendable {
    public struct Point: Encodable, Equatable, Sendable {
        /// The time of day, as `HH:MM`.
        public var time: String
        public var hp: Double
        public var condition: Condition

        init(second: Int, parts: Int) {
            time = clockFace(second)
            hp = Health.points(parts)
            condition = Condition(parts)
        }
    }

    /// The number of the day by the piece's clock.
    public var day: Int
    /// The date of the day; nil where the piece's days are shorter than real ones, so that they have no date.
    public var date: String?
    /// The health at the day's end, in HP.
    public var hp: Double
    public var condition: Condition
    public var bypasses: Int
    public var useMinutes: Double
    public var goalMinutes: Int?
    /// The minutes by which the use exceeds the goal, negative where it stays below; nil where no goal was chosen.
    public var overMinutes: Double?
    /// When an app was first opened, as `HH:MM`, like all times of day here.
    public var firstUse: String?
    public var lastUse: String?
    public var terminalAt: String?
    /// The health after each loss.
    public var points: [Point]

    init(_ record: DayRecord, _ time: PieceTime) {
        day = record.day
        date = time.date(of: record.day)
        hp = Health.points(record.parts)
        condition = Condition(record.parts)
        bypasses = record.bypasses
        useMinutes = (Double(record.use) / 6).rounded() / 10
        goalMinutes = record.goal
        overMinutes = record.goal.map { (Double(record.use - $0 * 60) / 6).rounded() / 10 }
        firstUse = record.firstUse.map(clockFace)
        lastUse = record.lastUse.map(clockFace)
        terminalAt = record.terminalAt.map(clockFace)
        points = record.points.map { Point(second: $0[0], parts: $0[1]) }
    }
}

/// The last seven days that were lived, for a dashboard.
public struct Week: Encodable, Equatable, Sendable {
    /// The days, oldest first; without today.
    public var days: [DayFigures]
    public var useMinutes: Double
    public var bypasses: Int
    /// The mean of the health at the days' ends, in HP; nil if there are no days.
    public var averageHp: Double?
    /// The number of days that ended above 40 HP.
    public var goodDays: Int
    /// The number of days whose use was within the goal; `withGoal` is the number of days that had one.
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

/// All days in the history, oldest first.
public struct History: Encodable, Equatable, Sendable {
    public var days: [DayFigures]

    init(_ cat: Cat, _ time: PieceTime) { days = cat.history.map { DayFigures($0, time) } }
}

/// A week in lines of text: for each day a bar of its use against the goal, and the cat's condition at the day's end.
struct WeekDrawing {
    private struct Day: Decodable {
        var day: Int
        var date: String?
        var hp: Double
        var condition: Condition
        var bypasses: Int
        var useMinutes: Double
        var goalMinutes: Double?
    }

    private struct Week: Decodable {
        var days: [Day]
        var streak: Int
        var longestStreak: Int
    }

    /// The part of an answer that has the household's name; nil where the client may only watch, and so is not told the name.
    private struct Named: Decodable { var household: String? }

    /// The number of columns in a bar.
    static let width = 32

    private let week: Week
    private let household: String
    private let today: Day
    private let isColored: Bool

    /// `state` and `week` are the answers to `kitty.state` and `kitty.week`. Throws if one of them lacks what is drawn.
    init(state: JSONValue, week: JSONValue, isColored: Bool) throws {
        today = try Day(from: state.decoder)
        household = try Named(from: state.decoder).household ?? "a household"
        self.week = try Week(from: week.decoder)
        self.isColored = isColored
    }

    var lines: [String] {
        let days = week.days + [today]
        // Days of a length other than 24 hours have no date, and their numbers mean nothing to people.
        let names = week.days.map { $0.date ?? "\(count(today.day - $0.day, "day", "days")) ago" } + ["today"]
        let longest = names.map(\.count).max() ?? 0
        let most = days.map { max($0.useMinutes, $0.goalMinutes ?? 0) }.max() ?? 0
        let head = "\(household): \(today.condition.rawValue), \(figure(today.hp)) HP"
        let streak = "\(count(week.streak, "day", "days")) in a row above 40 HP, at most \(week.longestStreak)"
        let rows = zip(names, days).map { name, day in
            let padding = String(repeating: " ", count: longest - name.count)
            let goal = day.goalMinutes.map { " of \(hours($0))" } ?? ""
            let figures = ["\(hours(day.useMinutes))\(goal) h", count(day.bypasses, "bypass", "bypasses"), "\(figure(day.hp)) HP",
                           day.condition.rawValue]
            return "  \(name)\(padding)  \(bar(day, most))  " + figures.joined(separator: ", ")
        }
        return [head] + rows + ["  " + streak]
    }

    /// Draws the day's use, what is left of the goal, and use beyond the goal in another shade.
    private func bar(_ day: Day, _ most: Double) -> String {
        func columns(_ minutes: Double) -> Int { most > 0 ? Int((minutes / most * Double(Self.width)).rounded()) : 0 }
        let used = columns(day.useMinutes)
        let goal = day.goalMinutes.map(columns)
        let cells = (0..<Self.width).map { column in
            if column < used { goal.map { column < $0 } ?? true ? "█" : "▓" } else { goal.map { column < $0 } ?? false ? "░" : " " }
        }
        return colored(cells.joined(), day.condition)
    }

    private func colored(_ text: String, _ condition: Condition) -> String {
        let code = switch condition.bar {
        case "green": 32
        case "orange": 33
        default: 31
        }
        return isColored ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }

    private func hours(_ minutes: Double) -> String { figure((minutes / 6).rounded() / 10) }

    private func count(_ number: Int, _ one: String, _ many: String) -> String { "\(number) \(number == 1 ? one : many)" }
}
