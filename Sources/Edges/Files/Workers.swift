import Synchronization

/// Runs one class of work on a few threads, which may wait for a disk or take long. What they are busy with delays no other class, which
/// has workers of its own. A thread is started when there is something to do, and ends when there is nothing. Thread: any.
public final class Workers: Sendable {
    /// Says why a job is never done.
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

    /// Starts without threads. At most `threads` jobs are done at once, of one client one less, unless there is one thread only. At most
    /// `room` jobs wait, of one client `share`.
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

    /// Drops the waiting jobs of a client that is gone.
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
/// delays another by one at most. Where there is no room, who has most waiting gives way. A value without a thread or a lock.
struct FairQueue<Job> {
    /// The most jobs that wait, of all clients.
    let room: Int
    /// The most jobs of one client that wait.
    let share: Int
    /// The most jobs of one client that are done at once.
    let most: Int

    private var lines: [Int: [Job]] = [:]
    /// The clients that have a line; whoever was served longest ago comes first.
    private var order: [Int] = []
    private var running: [Int: Int] = [:]
    private var count = 0

    init(room: Int, share: Int, most: Int) {
        self.room = room
        self.share = share
        self.most = most
    }

    /// Adds a job. Returns the job that gives way to it, if one has to: the last of the client that has most waiting, and two more than
    /// this one.
    mutating func put(_ job: Job, of client: Int) throws(Workers.Busy) -> Job? {
        let own = lines[client]?.count ?? 0
        guard own < share else { throw Workers.Busy(description: "busy: \(own) questions of this client wait already") }
        var displaced: Job?
        if count >= room {
            // Of equals the least number, so that the same has the same effect.
            let longest = lines.max { ($0.value.count, -$0.key) < ($1.value.count, -$1.key) }
            guard let longest, longest.value.count > own + 1 else { throw Self.full(count) }
            displaced = removeLast(of: longest.key)
        }
        if own == 0 { order.append(client) }
        lines[client, default: []].append(job)
        count += 1
        return displaced
    }

    /// The error that `count` jobs wait already.
    static func full(_ count: Int) -> Workers.Busy { Workers.Busy(description: "busy: \(count) questions of all clients wait already") }

    /// Takes the next job that may be begun; nil when there is none. `end` is to be called when it is done.
    mutating func take() -> (client: Int, job: Job)? {
        guard let place = order.firstIndex(where: { running[$0, default: 0] < most }) else { return nil }
        let client = order.remove(at: place)
        guard let job = lines[client]?.removeFirst() else { preconditionFailure("who has a turn has a line") }
        if lines[client]?.isEmpty == true { lines[client] = nil } else { order.append(client) }
        running[client, default: 0] += 1
        count -= 1
        return (client, job)
    }

    /// Notes that a job of the client is done.
    mutating func end(of client: Int) {
        guard let count = running[client] else { return }
        running[client] = count > 1 ? count - 1 : nil
    }

    /// Takes back what was put last; nil where nothing of the client waits.
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

    /// Takes back all that waits of a client.
    mutating func removeAll(of client: Int) -> [Job] {
        guard let line = lines.removeValue(forKey: client) else { return [] }
        count -= line.count
        order.removeAll { $0 == client }
        return line
    }
}
