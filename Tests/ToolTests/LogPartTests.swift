import Testing
import Wire

@testable import Tool

@Suite struct LogPartTests {
    /// What a daemon that has logged `kept` records was asked for, and the numbers of what was read.
    private func read(_ count: Int, of kept: Int) async throws -> (asked: [[Int?]], numbers: [Int]) {
        let all = (0..<kept).map { LogRecord(number: $0 + 1, time: 0, level: .info, message: "", metadata: [:]) }
        var asked: [[Int?]] = []
        let records = try await LogPart.records(count) { before, count in
            asked.append([before, count])
            return all.filter { $0.number < before ?? .max }.suffix(count)
        }
        return (asked, records.map(\.number))
    }

    @Test func `the log is read in parts of 200, the newest first, and told the oldest first`() async throws {
        let whole = try await read(1_000, of: 450)
        #expect(whole.asked == [[nil, 200], [251, 200], [51, 200]] && whole.numbers == Array(1...450))
        let some = try await read(250, of: 450)
        #expect(some.asked == [[nil, 200], [251, 50]] && some.numbers == Array(201...450))
        let few = try await read(20, of: 450)
        #expect(few.asked == [[nil, 20]] && few.numbers == Array(431...450))
        let exact = try await read(1_000, of: 400)
        #expect(exact.asked == [[nil, 200], [201, 200], [1, 200]] && exact.numbers == Array(1...400))
        let none = try await read(1_000, of: 0)
        #expect(none.asked == [[nil, 200]] && none.numbers.isEmpty)
    }
}
