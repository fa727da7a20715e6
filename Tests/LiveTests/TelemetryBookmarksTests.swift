import ColorScroller
import Experience
import Journal
import Offline
import SystemPackage
import Testing
import TestSupport
import Units

@testable import Live

/// How many bookmarks of exports are kept, and whose.
@Suite struct TelemetryBookmarksTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// Of a journal of this name.
    private func bookmark(_ name: String) throws -> TelemetryBookmark {
        let table = try #require(ColorScroller.declaration.telemetry.first { $0.topic != nil })
        let visitor = try #require(ColorScroller.declaration.visitors.first { $0.name == "frantic" })
        var simulation = Simulation(ColorScroller.self, visitor, seed: 1, turns: 5, idle: Seconds(45))
        var text = ""
        while let step = simulation.next() { text += String(decoding: JournalLine.encode(step.entry), as: UTF8.self) }
        let journal = FilePath(try scratch.write(text, to: name + ".jsonl"))
        return try #require(try TelemetryExport(TelemetryText(.csv, table), of: [journal], ColorScroller.self).part(from: nil, limit: 2).bookmark)
    }

    @Test func `a client has one for each journal, four at most, and none when it has gone`() throws {
        var bookmarks = TelemetryBookmarks()
        for name in ["a", "b", "a", "c", "d", "e"] { bookmarks.leave(try bookmark(name), by: 1) }
        bookmarks.leave(nil, by: 1)
        bookmarks.leave(try bookmark("a"), by: 2)
        #expect(bookmarks.of(1).count == TelemetryBookmarks.share && bookmarks.of(2).count == 1)
        // The one that was left longest ago is gone.
        let b = try bookmark("b")
        #expect(!bookmarks.of(1).contains { $0.isBeside(b) })
        bookmarks.forget(1)
        #expect(bookmarks.of(1).isEmpty && bookmarks.of(2).count == 1)
    }

    @Test func `all clients together have sixteen at most`() throws {
        var bookmarks = TelemetryBookmarks()
        let bookmark = try bookmark("a")
        for client in 1...20 { bookmarks.leave(bookmark, by: client) }
        #expect((1...20).map { bookmarks.of($0).count } == [0, 0, 0, 0] + [Int](repeating: 1, count: TelemetryBookmarks.limit))
    }
}
