import Experience
import Fields

/// A week in lines of text: for each day a bar of its use against the goal, and the cat at its end.
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

    /// Whoever may only watch is not told whose cat it is.
    private struct Named: Decodable { var household: String? }

    /// Columns of the bars.
    static let width = 32

    private let week: Week
    private let household: String
    private let today: Day
    private let isColored: Bool

    /// `state` and `week` are the answers to `kitty.state` and `kitty.week`. Throws what is wrong with them.
    init(state: JSONValue, week: JSONValue, isColored: Bool) throws {
        today = try Day(from: state.decoder)
        household = try Named(from: state.decoder).household ?? "a household"
        self.week = try Week(from: week.decoder)
        self.isColored = isColored
    }

    var lines: [String] {
        let days = week.days + [today]
        // Short days have no date, and a number that says nothing.
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

    /// Draws the day's use, what is left to the goal, and the goal itself where it is not the longest of the week.
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
