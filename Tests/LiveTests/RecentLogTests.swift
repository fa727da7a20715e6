import Logging
import Testing
import Wire

@testable import Live

@Suite struct RecentLogTests {
    @Test func `the newest records are kept, with their numbers`() {
        let log = RecentLog()
        for number in 1...RecentLog.room + 3 { log.add(.info, "\(number)", [:], at: Double(number)) }
        let records = log.records(after: 0, from: .trace, count: RecentLog.room)
        #expect(records.map(\.number) == Array(4...RecentLog.room + 3))
        #expect(records.allSatisfy { $0.message == "\($0.number)" && $0.time == Double($0.number) })
    }

    @Test func `those after a number are told, the newest of those that are severe enough`() {
        let log = RecentLog()
        for (level, message) in [(LogLevel.error, "a"), (.debug, "b"), (.warning, "c"), (.critical, "d")] { log.add(level, message, [:], at: 0) }
        #expect(log.records(after: 0, from: .warning, count: 9).map(\.message) == ["a", "c", "d"])
        #expect(log.records(after: 0, from: .trace, count: 2).map(\.message) == ["c", "d"])
        #expect(log.records(after: 3, from: .trace, count: 9).map(\.message) == ["d"])
    }

    @Test func `a record is bounded, and the handler behind it is told too`() {
        let log = RecentLog()
        let behind = RecentLog()
        let handler = RecentLogHandler(RecentLogHandler(SwiftLogNoOpLogHandler(), behind), log)
        handler.log(event: LogEvent(level: .notice, message: "\(String(repeating: "x", count: 2_000))",
                                    metadata: ["from": "\(String(repeating: "y", count: 2_000))"], source: nil, file: "", function: "", line: 0))
        let records = log.records(after: 0, from: .trace, count: 9)
        #expect(records.map(\.level) == [.notice] && records.first?.message.count == 1_000)
        #expect(records.first?.metadata["from"]?.count == 1_000)
        #expect(behind.records(after: 0, from: .trace, count: 9).map(\.message) == records.map(\.message))
    }
}
