import Dispatch
import Fields
import Files
import Testing

/// Work that does not end before it is let go.
private final class Hanging: Sendable {
    private let gate = DispatchSemaphore(value: 0)
    let isOver = DispatchSemaphore(value: 0)

    func run() -> Int {
        gate.wait()
        isOver.signal()
        return 1
    }

    func release() { gate.signal() }
}

@Suite(.serialized) struct BlockingWorkTests {
    @Test func `what ends in time has its result or its error`() async throws {
        #expect(try BlockingWork.wait { 7 } == 7)
        #expect(try await BlockingWork.apart { 8 } == 8)
        #expect(throws: Fault(field: "a", expected: "b")) { try BlockingWork.wait { throw Fault(field: "a", expected: "b") } }
        await #expect(throws: Fault(field: "a", expected: "b")) { try await BlockingWork.apart { throw Fault(field: "a", expected: "b") } }
    }

    @Test func `what does not end is given up, with words that say so`() async {
        let (first, second) = (Hanging(), Hanging())
        let fault = Fault(field: "", expected: "a file that answers within 0.02 s", found: "one that does not answer")
        #expect(throws: fault) { try BlockingWork.wait(.milliseconds(20)) { first.run() } }
        await #expect(throws: fault) { try await BlockingWork.apart(.milliseconds(20)) { second.run() } }
        for hanging in [first, second] {
            hanging.release()
            hanging.isOver.wait()
        }
    }

    @Test func `a task that is cancelled waits no longer, also before it has begun to`() async {
        let hanging = Hanging()
        let task = Task { try await BlockingWork.apart { hanging.run() } }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        hanging.release()
        hanging.isOver.wait()
        let begun = Hanging()
        let hasBegun = DispatchSemaphore(value: 0)
        let other = Task {
            try await BlockingWork.apart {
                hasBegun.signal()
                return begun.run()
            }
        }
        await Task.detached { hasBegun.wait() }.value
        other.cancel()
        await #expect(throws: CancellationError.self) { try await other.value }
        begun.release()
        begun.isOver.wait()
    }

    /// A file system that hangs for a month, and a reload every minute, must not fill the memory with threads.
    @Test func `so many are given up at once and no more, until one of them ends`() async throws {
        let hanging = (0..<BlockingWork.mostAbandoned).map { _ in Hanging() }
        for one in hanging { #expect(throws: Fault.self) { try BlockingWork.wait(.milliseconds(1)) { one.run() } } }
        #expect(throws: Fault(field: "", expected: "files that answer", found: "\(BlockingWork.mostAbandoned) that do not yet")) {
            try BlockingWork.wait { Issue.record("it was done") }
        }
        for one in hanging {
            one.release()
            one.isOver.wait()
        }
        // A thread counts until a moment after its work is over.
        var result = try? BlockingWork.wait { 1 }
        while result == nil { result = try? BlockingWork.wait { 1 } }
        #expect(result == 1)
    }
}
