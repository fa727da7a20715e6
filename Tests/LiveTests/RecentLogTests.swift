import Logging
import Testing
import Wire

@testable import Live

@Suite struct RecentLogTests {
    @Test func `the newest thousand records are kept, with their numbers`() {
        let log = RecentLog()
        #expect(RecentLog.room == 1_000)
        for number in 1...RecentLog.room + 3 { log.add(.info, "\(number)", [:], at: Double(number)) }
        let records = log.records()
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

    @Test func `those before a number are told part by part, until the oldest is there`() {
        let log = RecentLog()
        for number in 1...5 { log.add(number == 2 ? .error : .info, "", [:], at: Double(number)) }
        #expect(log.records(count: 2).map(\.number) == [4, 5])
        #expect(log.records(before: 4, count: 2).map(\.number) == [2, 3])
        #expect(log.records(before: 2, count: 2).map(\.number) == [1])
        #expect(log.records(before: 1).isEmpty && log.records(after: 1, before: 4).map(\.number) == [2, 3])
        #expect(log.records(before: 4, from: .error).map(\.number) == [2])
    }

    @Test func `of much metadata the first sixteen pieces are kept, in the order of their keys`() {
        let log = RecentLog()
        log.add(.info, "", Dictionary(uniqueKeysWithValues: (10..<40).map { ("key-\($0)", "\($0)") }), at: 0)
        log.add(.info, "", Dictionary(uniqueKeysWithValues: (10..<26).map { ("key-\($0)", "\($0)") }), at: 0)
        for record in log.records() {
            #expect(record.metadata == Dictionary(uniqueKeysWithValues: (10..<26).map { ("key-\($0)", "\($0)") }))
        }
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
