/// Jobs that wait for a worker. Each client has a line of its own, and the lines take turns, so that a client with many jobs delays another
/// by one at most. Where there is no room, who has most waiting gives way. A value without a thread or a lock.
struct FairQueue<Job> {
    /// Jobs that may wait, of all clients.
    let room: Int
    /// Jobs of one client that may wait.
    let share: Int
    /// Jobs of one client that may be done at once.
    let most: Int

    private var lines: [Int: [Job]] = [:]
    /// Clients that have a line; whoever was served longest ago comes first.
    private var order: [Int] = []
    private var running: [Int: Int] = [:]
    private var count = 0

    init(room: Int, share: Int, most: Int) {
        self.room = room
        self.share = share
        self.most = most
    }

    /// Returns the job that has given way to it, if one had to: the last of the client that has most waiting, and two more than this one.
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

    /// There are so many jobs already.
    static func full(_ count: Int) -> Workers.Busy { Workers.Busy(description: "busy: \(count) questions of all clients wait already") }

    /// The next job that may be begun; nil when there is none. `end` is to be called when it is done.
    mutating func take() -> (client: Int, job: Job)? {
        guard let place = order.firstIndex(where: { running[$0, default: 0] < most }) else { return nil }
        let client = order.remove(at: place)
        guard let job = lines[client]?.removeFirst() else { preconditionFailure("who has a turn has a line") }
        if lines[client]?.isEmpty == true { lines[client] = nil } else { order.append(client) }
        running[client, default: 0] += 1
        count -= 1
        return (client, job)
    }

    /// A job of the client is done.
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
