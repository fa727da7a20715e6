import Dispatch
import Testing

@testable import Live

@Suite struct StopDeadlineTests {
    @Test func `a step that never returns is named when the time is over`() async {
        let (steps, end) = AsyncStream.makeStream(of: String.self)
        let deadline = StopDeadline(timeout: .milliseconds(30), doing: "starts") { end.yield($0) }
        deadline.begin()
        deadline.nowDoing("ends the session")
        deadline.nowDoing("waits for the journal's disk")
        // Here something hangs.
        var named = steps.makeAsyncIterator()
        #expect(await named.next() == "waits for the journal's disk")
    }

    @Test func `whoever ends in time is left alone, and so is who was never told to stop`() async throws {
        let (early, earlyEnd) = AsyncStream.makeStream(of: String.self)
        let deadlines = (0..<2).map { _ in StopDeadline(timeout: .milliseconds(10), doing: "starts") { earlyEnd.yield($0) } }
        deadlines[0].begin()
        deadlines[0].end()
        // Later than both would have been.
        let (late, lateEnd) = AsyncStream.makeStream(of: String.self)
        let last = StopDeadline(timeout: .milliseconds(60), doing: "is the last") { lateEnd.yield($0) }
        last.begin()
        var named = late.makeAsyncIterator()
        #expect(await named.next() == "is the last")
        earlyEnd.finish()
        var wrong = early.makeAsyncIterator()
        #expect(await wrong.next() == nil)
    }
}
