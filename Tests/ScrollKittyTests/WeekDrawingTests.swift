import Experience
import Fields
@testable import ScrollKitty
import Testing

@Suite struct WeekDrawingTests {
    private func day(_ hp: Double, _ condition: String, on day: Int64 = 20_454, bypasses: Int64, use: Double, goal: Int64?,
                     _ more: [String: JSONValue]) -> JSONValue {
        var fields: [String: JSONValue] = ["day": .integer(day), "hp": .number(hp), "condition": .text(condition),
                                           "bypasses": .integer(bypasses), "useMinutes": .number(use)]
        fields["goalMinutes"] = goal.map { .integer($0) }
        return .object(fields.merging(more) { $1 })
    }

    private func lines(isColored: Bool) throws -> [String] {
        let week = JSONValue.object([
            "days": .list([day(80, "concerned", bypasses: 4, use: 120, goal: 240, ["date": .text("2026-01-01")]),
                           day(0, "dead", on: 20_455, bypasses: 1, use: 360, goal: 240, [:])]),
            "streak": .integer(1), "longestStreak": .integer(9),
        ])
        let state = day(99.5, "healthy", on: 20_457, bypasses: 0, use: 0, goal: nil, ["household": .text("home")])
        return try WeekDrawing(state: state, week: week, isColored: isColored).lines
    }

    /// 32 columns are 6 h: 2 h are 10.7 of them, 4 h 21.3.
    @Test func `a week is a bar a day, of use, what is left to the goal, and what is beyond it`() throws {
        func bar(_ used: Int, _ left: Int, _ over: Int = 0) -> String {
            let cells = String(repeating: "█", count: used) + String(repeating: "▓", count: over) + String(repeating: "░", count: left)
            return cells + String(repeating: " ", count: 32 - cells.count)
        }
        #expect(try lines(isColored: false) == [
            "home: healthy, 99.5 HP",
            "  2026-01-01  \(bar(11, 10))  2 of 4 h, 4 bypasses, 80 HP, concerned",
            "  2 days ago  \(bar(21, 0, 11))  6 of 4 h, 1 bypass, 0 HP, dead",
            "  today       \(bar(0, 0))  0 h, 0 bypasses, 99.5 HP, healthy",
            "  1 day in a row above 40 HP, at most 9",
        ])
    }

    @Test func `in colours a bar has that of the cat's, and nothing else is different`() throws {
        let colored = try lines(isColored: true)
        #expect(colored[1].contains("\u{1B}[32m█") && colored[2].contains("\u{1B}[31m█"))
        let codes = ["\u{1B}[32m", "\u{1B}[31m", "\u{1B}[0m"]
        #expect(colored.map { line in codes.reduce(line) { $0.split(separator: $1, omittingEmptySubsequences: false).joined() } }
            == (try lines(isColored: false)))
    }

    @Test func `what is no answer is refused`() {
        #expect(throws: (any Error).self) { try WeekDrawing(state: .object([:]), week: .null, isColored: false) }
    }
}
