import Synchronization

/// A few threads for one class of work that may wait for a disk or take long. What they are busy with delays no other class, which has
/// workers of its own. A thread is started when there is something to do, and ends when there is nothing. Thread: any.
public final class Workers: Sendable {
    /// Why a job is never done, in words.
    public struct Busy: Error, Equatable, CustomStringConvertible {
        public var description: String
    }

    private struct Job: Sendable {
        var work: @Sendable () -> Void
        var refused: @Sendable (Busy) -> Void
    }

    private struct State {
        var queue: FairQueue<Job>
        var threads = 0
    }

    private let most: Int
    private let state: Mutex<State>

    /// At most `threads` jobs are done at once, of one client one less, unless there is one thread only. At most `room` jobs wait, of one
    /// client `share`.
    public init(threads: Int, room: Int, share: Int) {
        precondition(threads > 0, "somebody does the work")
        most = threads
        state = Mutex(State(queue: FairQueue(room: room, share: share, most: max(1, threads - 1))))
    }

    /// Has `work` done, or calls `refused`: at once where there is no room for it or no thread can be had, and later where it gives way to
    /// a client with fewer jobs, or is forgotten. One of both is called, once; `refused` on the thread of any call.
    public func start(for client: Int, _ work: @escaping @Sendable () -> Void, refused: @escaping @Sendable (Busy) -> Void) {
        let job = Job(work: work, refused: refused)
        let (dropped, busy) = state.withLock { state -> (Job?, Busy?) in
            let displaced: Job?
            do throws(Busy) {
                displaced = try state.queue.put(job, of: client)
            } catch {
                return (job, error)
            }
            let full = displaced.map { _ in FairQueue<Job>.full(state.queue.room) }
            guard state.threads < most else { return (displaced, full) }
            do {
                try Thread.start { self.work() }
                state.threads += 1
            } catch where state.threads == 0 {
                // Nothing waits where there is no thread, so that nothing was displaced.
                return (state.queue.removeLast(of: client), Busy(description: "no thread can be had: \(error)"))
            } catch {
                // Those that are there do it as well.
            }
            return (displaced, full)
        }
        if let dropped, let busy { dropped.refused(busy) }
    }

    /// The client is gone: what waits of it is not done.
    public func forget(_ client: Int) {
        for job in state.withLock({ $0.queue.removeAll(of: client) }) { job.refused(Busy(description: "whoever asked is gone")) }
    }

    private func work() {
        while let (client, job) = next() {
            job.work()
            state.withLock { $0.queue.end(of: client) }
        }
    }

    private func next() -> (client: Int, job: Job)? {
        state.withLock { state in
            let next = state.queue.take()
            if next == nil { state.threads -= 1 }
            return next
        }
    }
}
