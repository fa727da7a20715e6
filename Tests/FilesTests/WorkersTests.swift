import Dispatch
import Synchronization
import Testing

@testable import Files

@Suite struct WorkersTests {
    private final class Order: Sendable {
        let done = Mutex<[Int]>([])
    }

    @Test func `all jobs are done, by as many threads as there may be`() throws {
        let workers = Workers(threads: 3, room: 1_000, share: 1_000)
        let (all, order) = (DispatchGroup(), Order())
        for job in 0..<500 {
            all.enter()
            try workers.start(for: job % 5) {
                order.done.withLock { $0.append(job) }
                all.leave()
            }
        }
        all.wait()
        #expect(order.done.withLock { $0.sorted() } == Array(0..<500))
    }

    @Test func `a client whose jobs do not end leaves a thread to the others, and another class is not touched`() throws {
        let (workers, others) = (Workers(threads: 2, room: 10, share: 5), Workers(threads: 1, room: 10, share: 5))
        let (gate, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<3 { try workers.start(for: 1) { gate.wait() } }
        try workers.start(for: 2) { done.signal() }
        done.wait()
        // Now both are held.
        try workers.start(for: 2) { gate.wait() }
        try others.start(for: 1) { done.signal() }
        done.wait()
        for _ in 0..<4 { gate.signal() }
        try workers.start(for: 3) { done.signal() }
        done.wait()
    }
}
