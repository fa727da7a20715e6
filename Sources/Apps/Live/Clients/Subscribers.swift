import Signals
import Wire

/// Knows which client has subscribed to which topics. A client that does not read misses notifications, and is told later how many.
struct Subscribers {
    private struct Subscriber {
        var topics: Set<Topic> = []
        /// The number of its last notification.
        var number: UInt64 = 0
        var missed: UInt64 = 0
        /// Sends a line, and returns whether that could be done.
        let push: ([UInt8]) -> Bool

        mutating func tell(_ notification: Notification) {
            let hasRoom = tellOfMissed()
            number += 1
            if !hasRoom || !push(notification.line(number: number)) { missed += 1 }
        }

        /// Tells how many notifications were missed. Returns whether none is any more.
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
    /// The topics that anybody has subscribed to; most have no subscriber.
    private var wanted: Set<Topic> = []

    mutating func add(_ client: Int, push: @escaping ([UInt8]) -> Bool) { subscribers[client] = Subscriber(push: push) }

    /// Returns whether there is room for one more subscriber. A client that has subscribed already needs none.
    func hasRoom(for client: Int, limit: Int) -> Bool {
        subscribers[client]?.topics.isEmpty == false || subscribers.values.count { !$0.topics.isEmpty } < limit
    }

    func want(_ topic: Topic) -> Bool { wanted.contains(topic) }

    mutating func remove(_ client: Int) {
        subscribers[client] = nil
        collectWanted()
    }

    /// Returns the number of the last notification that was for the client; the next has the one after it.
    mutating func subscribe(_ client: Int, to topics: Set<Topic>) -> UInt64 {
        subscribers[client]?.topics = topics
        collectWanted()
        return subscribers[client]?.number ?? 0
    }

    /// Tells all subscribers of a topic. `notification` is made only if there are any.
    mutating func tell(_ topic: Topic, _ notification: () -> Notification) {
        guard wanted.contains(topic) else { return }
        var made: Notification?
        for client in subscribers.keys where subscribers[client]?.topics.contains(topic) == true {
            let notification = made ?? notification()
            made = notification
            subscribers[client]?.tell(notification)
        }
    }

    /// Tells clients that have missed something and have room again how much, also where nothing else is told.
    mutating func tellOfMissed() {
        for client in subscribers.keys { _ = subscribers[client]?.tellOfMissed() }
    }

    /// Tells one client, if it still subscribes to the topic.
    mutating func tell(_ client: Int, _ topic: Topic, _ parameters: some Encodable) {
        guard subscribers[client]?.topics.contains(topic) == true else { return }
        subscribers[client]?.tell(Notification(topic, parameters))
    }

    /// Returns the subscribers of `topic`, in ascending order.
    func clients(of topic: Topic) -> [Int] {
        guard wanted.contains(topic) else { return [] }
        return subscribers.filter { $0.value.topics.contains(topic) }.map(\.key).sorted()
    }

    /// Returns whether a notification could be sent. If not, it has no number, and the client has not missed it: it may be offered again.
    mutating func offer(_ notification: Notification, to client: Int) -> Bool { subscribers[client]?.offer(notification) ?? false }

    private mutating func collectWanted() {
        wanted = subscribers.values.reduce(into: []) { $0.formUnion($1.topics) }
    }

    /// Tells each subscriber of a topic what `part` makes for its sight, once for all clients of the same sight; nil is not told.
    mutating func tell(_ topic: Topic, sight: (Int) -> HouseholdSight, _ part: (HouseholdSight) -> Notification?) {
        guard wanted.contains(topic) else { return }
        var made: [HouseholdSight: Notification?] = [:]
        for client in subscribers.keys where subscribers[client]?.topics.contains(topic) == true {
            let sight = sight(client)
            let notification = made[sight] ?? part(sight)
            made[sight] = .some(notification)
            if let notification { subscribers[client]?.tell(notification) }
        }
    }
}
