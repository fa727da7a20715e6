import Synchronization

/// Runs one class of work on a few threads, which may wait for a disk or compute for long. Other classes of work have workers of their own
/// and are not delayed. A thread is started when there is work, and ends when there is none. Thread: any.
public final class Workers: Sendable {
    /// The reason why a job will not be run.
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

    /// Starts without threads. At most `threads` jobs run at once; of one client, at most one less, but at least one. At most `room` jobs
    /// wait, and at most `share` of one client.
    public init(threads: Int, room: Int, share: Int) {
        precondition(threads > 0, "somebody does the work")
        most = threads
        state = Mutex(State(queue: FairQueue(room: room, share: share, most: max(1, threads - 1))))
    }

    /// Runs `work`, or else calls `refused`; exactly one of the two, once. `refused` is called at once if there is no room or no thread can
    /// be started. It is called later if the job gives way to a client with fewer jobs, or its client is forgotten; then it runs on the
    /// thread of the call that causes this.
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
                // Without a thread no job waits, so no other job was displaced.
                return (state.queue.removeLast(of: client), Busy(description: "no thread can be had: \(error)"))
            } catch {
                // The threads that are running do this job, too.
            }
            return (displaced, full)
        }
        if let dropped, let busy { dropped.refused(busy) }
    }

    /// Drops the waiting jobs of a client that has gone.
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

/// A queue of jobs that wait for a worker. Each client has a line of its own, and the lines take turns, so that a client with many jobs
/// delays another by one job at most. If there is no room, the client with the longest line gives way. Not thread-safe.
struct FairQueue<Job> {
    /// The largest number of waiting jobs, of all clients.
    let room: Int
    /// The largest number of waiting jobs of one client.
    let share: Int
    /// The largest number of jobs of one client that run at once.
    let most: Int

    private var lines: [Int: [Job]] = [:]
    /// The clients that have a line. The one that was served longest ago comes first.
    private var order: [Int] = []
    private var running: [Int: Int] = [:]
    private var count = 0

    init(room: Int, share: Int, most: Int) {
        self.room = room
        self.share = share
        self.most = most
    }

    /// Adds a job. Returns the job that gives way to it; nil if none must. That is the last job of the client with the longest line, if
    /// that line has at least two jobs more than this client's.
    mutating func put(_ job: Job, of client: Int) throws(Workers.Busy) -> Job? {
        let own = lines[client]?.count ?? 0
        guard own < share else { throw Workers.Busy(description: "busy: \(own) questions of this client wait already") }
        var displaced: Job?
        if count >= room {
            // Of equally long lines, that of the client with the least number is taken, so that the result is reproducible.
            let longest = lines.max { ($0.value.count, -$0.key) < ($1.value.count, -$1.key) }
            guard let longest, longest.value.count > own + 1 else { throw Self.full(count) }
            displaced = removeLast(of: longest.key)
        }
        if own == 0 { order.append(client) }
        lines[client, default: []].append(job)
        count += 1
        return displaced
    }

    /// Returns the error which says that `count` jobs are waiting already.
    static func full(_ count: Int) -> Workers.Busy { Workers.Busy(description: "busy: \(count) questions of all clients wait already") }

    /// Takes the next job that may run; nil when there is none. Call `end` when the job has run.
    mutating func take() -> (client: Int, job: Job)? {
        guard let index = order.firstIndex(where: { running[$0, default: 0] < most }) else { return nil }
        let client = order.remove(at: index)
        guard let job = lines[client]?.removeFirst() else { preconditionFailure("who has a turn has a line") }
        if lines[client]?.isEmpty == true { lines[client] = nil } else { order.append(client) }
        running[client, default: 0] += 1
        count -= 1
        return (client, job)
    }

    /// Notes that a job of the client has run.
    mutating func end(of client: Int) {
        guard let count = running[client] else { return }
        running[client] = count > 1 ? count - 1 : nil
    }

    /// Removes the last waiting job of a client; nil where the client has none.
    @discardableResult
    mutating func removeLast(of client: Int) -> Job? {
        guard let last = lines[client]?.popLast() else { return nil }
        count -= 1
        if lines[client]?.isEmpty == true {
            lines[client] = nil
            order.removeAll { $0 == client }
        }
        return last
    }

    /// Removes all waiting jobs of a client.
    mutating func removeAll(of client: Int) -> [Job] {
        guard let line = lines.removeValue(forKey: client) else { return [] }
        count -= line.count
        order.removeAll { $0 == client }
        return line
    }
}
