/// Jobs that wait for a worker. Each client has a line of its own, and the lines take turns, so that a client with many jobs delays another
/// by one at most. A value without a thread or a lock.
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

    mutating func put(_ job: Job, of client: Int) throws(Workers.Busy) {
        guard count < room else { throw Workers.Busy(description: "busy: \(count) questions of all clients wait already") }
        let own = lines[client]?.count ?? 0
        guard own < share else { throw Workers.Busy(description: "busy: \(own) questions of this client wait already") }
        if own == 0 { order.append(client) }
        lines[client, default: []].append(job)
        count += 1
    }

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

    /// Takes back what was put last.
    mutating func removeLast(of client: Int) {
        guard lines[client]?.popLast() != nil else { return }
        count -= 1
        guard lines[client]?.isEmpty == true else { return }
        lines[client] = nil
        order.removeAll { $0 == client }
    }
}
