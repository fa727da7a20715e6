import Signals
import Wire

/// Who wants to be told what. One that does not read what it is told is left out, and later told how often.
struct Subscribers {
    private struct Subscriber {
        var topics: Set<Announcement.Topic> = []
        var missed: UInt64 = 0
        /// Whether the line could be sent.
        let push: ([UInt8]) -> Bool

        mutating func tell(_ line: [UInt8]) {
            if missed > 0 {
                guard push(Notification.line(missed: missed)) else { return missed += 1 }
                missed = 0
            }
            if !push(line) { missed += 1 }
        }
    }

    private var subscribers: [Int: Subscriber] = [:]

    mutating func add(_ client: Int, push: @escaping ([UInt8]) -> Bool) { subscribers[client] = Subscriber(push: push) }

    mutating func remove(_ client: Int) { subscribers[client] = nil }

    mutating func subscribe(_ client: Int, to topics: Set<Announcement.Topic>) { subscribers[client]?.topics = topics }

    mutating func tell(_ announcement: Announcement) {
        let topic = announcement.topic
        var line: [UInt8]?
        for client in subscribers.keys where subscribers[client]?.topics.contains(topic) == true {
            let bytes = line ?? Notification.line(announcement)
            line = bytes
            subscribers[client]?.tell(bytes)
        }
    }
}
