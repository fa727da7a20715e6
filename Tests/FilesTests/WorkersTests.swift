import Dispatch
import Synchronization
import Testing

@testable import Files

@Suite struct WorkersTests {
    private final class Order: Sendable {
        let done = Mutex<[Int]>([])
    }

    private static let never: @Sendable (Workers.Busy) -> Void = { Issue.record("it was refused: \($0)") }

    @Test func `all jobs are done, by as many threads as there may be`() {
        let workers = Workers(threads: 3, room: 1_000, share: 1_000)
        let (all, order) = (DispatchGroup(), Order())
        for job in 0..<500 {
            all.enter()
            workers.start(for: job % 5, {
                order.done.withLock { $0.append(job) }
                all.leave()
            }, refused: Self.never)
        }
        all.wait()
        #expect(order.done.withLock { $0.sorted() } == Array(0..<500))
    }

    @Test func `a client whose jobs do not end leaves a thread to the others, and another class is not touched`() {
        let (workers, others) = (Workers(threads: 2, room: 10, share: 5), Workers(threads: 1, room: 10, share: 5))
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<3 { workers.start(for: 1, { gate.wait() }, refused: Self.never) }
        workers.start(for: 2, { done.signal() }, refused: Self.never)
        done.wait()
        // Now both are held.
        workers.start(for: 2, { gate.wait() }, refused: Self.never)
        others.start(for: 1, { done.signal() }, refused: Self.never)
        done.wait()
        for _ in 0..<4 { gate.signal() }
        workers.start(for: 3, { done.signal() }, refused: Self.never)
        done.wait()
    }

    @Test func `whoever is gone leaves its room, and each job is done or refused, once`() {
        let workers = Workers(threads: 1, room: 2, share: 2)
        let (gate, isBusy, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let log = Mutex<[String]>([])
        @Sendable func note(_ word: String) { log.withLock { $0.append(word) } }
        workers.start(for: 1, {
            isBusy.signal()
            gate.wait()
        }, refused: Self.never)
        isBusy.wait()
        for job in ["a", "b", "c"] { workers.start(for: 2) { note("\(job) done") } refused: { _ in note("\(job) refused") } }
        #expect(log.withLock { $0 } == ["c refused"])
        workers.start(for: 3) { note("d done") } refused: { _ in note("d refused") }
        #expect(log.withLock { $0 } == ["c refused", "b refused"], "who has most waiting gives way")
        workers.forget(2)
        #expect(log.withLock { $0 } == ["c refused", "b refused", "a refused"])
        workers.start(for: 4) {
            note("e done")
            done.signal()
        } refused: { _ in note("e refused") }
        gate.signal()
        done.wait()
        #expect(log.withLock { $0 } == ["c refused", "b refused", "a refused", "d done", "e done"])
    }
}
