import Synchronization

/// A few threads for one class of work that may wait for a disk or take long. What they are busy with delays no other class, which has
/// workers of its own. A thread is started when there is something to do, and ends when there is nothing. Thread: any.
public final class Workers: Sendable {
    /// Why a job was not taken, in words.
    public struct Busy: Error, Equatable, CustomStringConvertible {
        public var description: String
    }

    private struct State {
        var queue: FairQueue<@Sendable () -> Void>
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

    /// Has `job` done. Throws when there is no room for it, or no thread can be had; then it is never done.
    public func start(for client: Int, _ job: @escaping @Sendable () -> Void) throws(Busy) {
        try state.withLock { state throws(Busy) in
            try state.queue.put(job, of: client)
            guard state.threads < most else { return }
            do {
                try Thread.start { self.work() }
                state.threads += 1
            } catch {
                // Those that are there do it as well.
                guard state.threads == 0 else { return }
                state.queue.removeLast(of: client)
                throw Busy(description: "no thread can be had: \(error)")
            }
        }
    }

    private func work() {
        while let (client, job) = next() {
            job()
            state.withLock { $0.queue.end(of: client) }
        }
    }

    private func next() -> (client: Int, job: @Sendable () -> Void)? {
        state.withLock { state in
            let next = state.queue.take()
            if next == nil { state.threads -= 1 }
            return next
        }
    }
}
