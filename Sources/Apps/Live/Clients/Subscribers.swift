import Signals
import Wire

/// Knows which client has subscribed to which topics. A client that does not read misses notifications; when it reads again, it is told how
/// many.
struct Subscribers {
    private struct Subscriber {
        var topics: Set<Topic> = []
        /// The number of the last notification that was meant for this client, counted from 1.
        var number: UInt64 = 0
        var missed: UInt64 = 0
        /// Sends a line. Returns whether that was possible.
        let push: ([UInt8]) -> Bool

        mutating func tell(_ notification: Notification) {
            let hasRoom = tellOfMissed()
            number += 1
            if !hasRoom || !push(notification.line(number: number)) { missed += 1 }
        }

        /// Sends the number of missed notifications, if there are any. Returns whether the client is up to date.
        mutating func tellOfMissed() -> Bool {
            if missed > 0, push(Notification.missed(missed).line(number: number)) { missed = 0 }
            return missed == 0
        }

        mutating func offer(_ notification: Notification) -> Bool {
            guard tellOfMissed(), push(notification.line(number: number + 1)) else { return false }
            number += 1
            return true
        }
    }

    private var subscribers: [Int: Subscriber] = [:]
    /// The topics that have subscribers. Most topics have none, so most notifications need not be made.
    private var wanted: Set<Topic> = []

    mutating func add(_ client: Int, push: @escaping ([UInt8]) -> Bool) { subscribers[client] = Subscriber(push: push) }

    /// Whether there is room for one more subscriber. A client that has subscribed already needs no room.
    func hasRoom(for client: Int, limit: Int) -> Bool {
        subscribers[client]?.topics.isEmpty == false || subscribers.values.count { !$0.topics.isEmpty } < limit
    }

    func want(_ topic: Topic) -> Bool { wanted.contains(topic) }

    mutating func remove(_ client: Int) {
        subscribers[client] = nil
        collectWanted()
    }

    /// Subscribes a client to `topics`. Returns the number of the client's last notification; the next one has the following number.
    mutating func subscribe(_ client: Int, to topics: Set<Topic>) -> UInt64 {
        subscribers[client]?.topics = topics
        collectWanted()
        return subscribers[client]?.number ?? 0
    }

    /// Sends a notification to all subscribers of a topic. `notification` is called only if there are any.
    mutating func tell(_ topic: Topic, _ notification: () -> Notification) {
        guard wanted.contains(topic) else { return }
        var made: Notification?
        for client in subscribers.keys where subscribers[client]?.topics.contains(topic) == true {
            let notification = made ?? notification()
            made = notification
            subscribers[client]?.tell(notification)
        }
    }

    /// Sends the number of missed notifications to each client that has missed some and can take a line again.
    mutating func tellOfMissed() {
        for client in subscribers.keys { _ = subscribers[client]?.tellOfMissed() }
    }

    /// Sends a notification to one client, if it still subscribes to the topic.
    mutating func tell(_ client: Int, _ topic: Topic, _ parameters: some Encodable) {
        guard subscribers[client]?.topics.contains(topic) == true else { return }
        subscribers[client]?.tell(Notification(topic, parameters))
    }

    /// Returns the subscribers of `topic`, in ascending order.
    func clients(of topic: Topic) -> [Int] {
        guard wanted.contains(topic) else { return [] }
        return subscribers.filter { $0.value.topics.contains(topic) }.map(\.key).sorted()
    }

    /// Sends a notification to one client, and returns whether that was possible. If not, the notification does not count as missed, and
    /// may be offered again.
    mutating func offer(_ notification: Notification, to client: Int) -> Bool { subscribers[client]?.offer(notification) ?? false }

    private mutating func collectWanted() {
        wanted = subscribers.values.reduce(into: []) { $0.formUnion($1.topics) }
    }

    /// Sends each subscriber of a topic the notification that `part` makes for what the client may see of the present household, as
    /// `visibility` says. `part` is called once for each value of it; where it returns nil, nothing is sent.
    mutating func tell(_ topic: Topic, visibility: (Int) -> HouseholdVisibility, _ part: (HouseholdVisibility) -> Notification?) {
        guard wanted.contains(topic) else { return }
        var made: [HouseholdVisibility: Notification?] = [:]
        for client in subscribers.keys where subscribers[client]?.topics.contains(topic) == true {
            let visibility = visibility(client)
            let notification = made[visibility] ?? part(visibility)
            made[visibility] = .some(notification)
            if let notification { subscribers[client]?.tell(notification) }
        }
    }
}
