import Journal
import Signals
import Testing
import Units

@testable import Live

private func header(_ name: String = "1") -> JournalEntry {
    .header(JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: name, theme: .standard))
}

private func event(_ frame: Int64) -> JournalEntry { .event(Event(client: .connection(1), .chime(name: "ding")), at: Frame(frame)) }

/// What is taken from it, as far as `count` goes.
private func take(_ backlog: inout JournalBacklog, _ count: Int = .max) -> [JournalEntry] {
    var entries: [JournalEntry] = []
    while entries.count < count, let item = backlog.next {
        entries.append(item.entry)
        backlog.removeNext()
    }
    return entries
}

@Suite struct JournalBacklogTests {
    @Test func `what is taken in time comes out as it went in, with the number of its session`() {
        var backlog = JournalBacklog(capacity: 600)
        let entries = [header()] + (0..<500).map { event($0) } + [.end(.idle, at: Frame(500)), header("2"), event(0)]
        for entry in entries { backlog.put(entry) }
        var sessions: [Int] = []
        var seen: [JournalEntry] = []
        while let item = backlog.next {
            sessions.append(item.session)
            seen.append(item.entry)
            backlog.removeNext()
        }
        #expect(seen == entries)
        #expect(sessions == Array(repeating: 1, count: 502) + [2, 2])
        #expect(backlog.lost == 0 && backlog.count == 0)
    }

    @Test func `what finds no room is told of in its place, and nothing before it is lost`() {
        var backlog = JournalBacklog(capacity: 8)
        backlog.put(header())
        for frame in 0..<20 { backlog.put(event(Int64(frame) * 10)) }
        #expect(backlog.count == 8 && backlog.lost == 13)
        // A little room is not enough: half must be free.
        #expect(take(&backlog, 3) == [header(), event(0), event(10)])
        backlog.put(event(500))
        #expect(backlog.lost == 14)
        #expect(take(&backlog, 1) == [event(20)])
        backlog.put(event(600))
        #expect(take(&backlog) == [event(30), event(40), event(50), event(60), .discontinuity(.lost(entries: 14), at: Frame(70)), event(600)])
        #expect(backlog.lost == 14)
    }

    @Test func `what is missing at the end is told of, though nothing comes after it`() {
        var backlog = JournalBacklog(capacity: 4)
        backlog.put(header())
        for frame in 0..<6 { backlog.put(event(Int64(frame))) }
        backlog.put(.end(.idle, at: Frame(480)))
        #expect(take(&backlog) == [header(), event(0), event(1), event(2), .discontinuity(.lost(entries: 4), at: Frame(3))])
        #expect(take(&backlog) == [])
    }

    @Test func `a session that begins without room has its header all the same, one that also ends without it leaves nothing`() {
        var backlog = JournalBacklog(capacity: 4)
        backlog.put(header("1"))
        for frame in 0..<3 { backlog.put(event(Int64(frame))) }
        backlog.put(.end(.idle, at: Frame(480)))
        for entry in [header("2"), event(0), .end(.idle, at: Frame(480))] { backlog.put(entry) }
        for entry in [header("3"), event(7), event(8)] { backlog.put(entry) }
        #expect(take(&backlog, 4) == [header("1"), event(0), event(1), event(2)])
        backlog.put(event(9))
        #expect(take(&backlog) == [.discontinuity(.lost(entries: 1), at: Frame(480)), header("3"), .discontinuity(.lost(entries: 2), at: Frame(7)), event(9)])
        // The first one's end, all three of the second, two of the third.
        #expect(backlog.lost == 6)
    }

    @Test func `what is given up is lost`() {
        var backlog = JournalBacklog(capacity: 4)
        for entry in [header(), event(0), event(1), event(2), event(3), event(4)] { backlog.put(entry) }
        #expect(backlog.lost == 2)
        backlog.giveUp()
        #expect(backlog.lost == 6)
        #expect(backlog.next == nil)
        backlog.removeNext()
        backlog.put(header("2"))
        #expect(take(&backlog) == [header("2")])
    }
}

@Suite struct LossWatchTests {
    @Test func `a loss is an issue for five minutes after the last one, and then it is over`() {
        var watch = LossWatch()
        func isLosing(_ lost: UInt64, at seconds: Int64) -> Bool { watch.isLosing(lost, at: seconds * 1_000_000_000) }
        let seen = [isLosing(0, at: 10), isLosing(3, at: 20), isLosing(3, at: 319), isLosing(3, at: 320), isLosing(4, at: 400),
                    isLosing(4, at: 699), isLosing(4, at: 700)]
        #expect(seen == [false, true, true, false, true, true, false])
    }
}
