import Testing
import Wire

@testable import Live

@Suite struct SubscribersTests {
    /// What each client was sent; client 0 does not read.
    private final class Inbox {
        var lines: [String] = []
        var isOpen = true
        func push(_ line: [UInt8]) -> Bool {
            guard isOpen else { return false }
            lines.append(String(decoding: line.dropLast(), as: UTF8.self))
            return true
        }
    }

    private func line(_ topic: String, _ number: Int, _ rest: String) -> String {
        #"{"jsonrpc":"2.0","method":"\#(topic)","params":{"number":\#(number),\#(rest)}}"#
    }

    @Test func `who subscribed is told of its topics, numbered for itself, and a notification nobody wants is not made`() {
        var subscribers = Subscribers()
        let (one, two) = (Inbox(), Inbox())
        subscribers.add(1, push: one.push)
        subscribers.add(2, push: two.push)
        subscribers.tell(.device) { preconditionFailure("nobody wants it") }
        #expect(subscribers.subscribe(1, to: [.device, .fault]) == 0)
        #expect(subscribers.subscribe(2, to: [.fault]) == 0)
        subscribers.tell(.device) { Notification(.device, ["a": 1]) }
        subscribers.tell(.fault) { Notification(.fault, ["b": 2]) }
        #expect(one.lines == [line("device", 1, #""a":1"#), line("fault", 2, #""b":2"#)])
        #expect(two.lines == [line("fault", 1, #""b":2"#)])
        #expect(subscribers.subscribe(1, to: []) == 2)
        #expect(!subscribers.want(.device) && subscribers.want(.fault))
        subscribers.remove(2)
        #expect(!subscribers.want(.fault))
    }

    @Test func `who does not read misses some, and is told how many before the next`() {
        var subscribers = Subscribers()
        let inbox = Inbox()
        subscribers.add(1, push: inbox.push)
        _ = subscribers.subscribe(1, to: [.fault])
        inbox.isOpen = false
        for _ in 0..<3 { subscribers.tell(.fault) { Notification(.fault, ["b": 2]) } }
        inbox.isOpen = true
        subscribers.tell(.fault) { Notification(.fault, ["b": 2]) }
        #expect(inbox.lines == [line("missed", 3, #""count":3"#), line("fault", 4, #""b":2"#)])
    }

    @Test func `who has missed some is told so when there is room, also where nothing else is told`() {
        var subscribers = Subscribers()
        let inbox = Inbox()
        subscribers.add(1, push: inbox.push)
        _ = subscribers.subscribe(1, to: [.fault])
        inbox.isOpen = false
        for _ in 0..<3 { subscribers.tell(.fault) { Notification(.fault, ["b": 2]) } }
        subscribers.tellOfMissed()
        inbox.isOpen = true
        for _ in 0..<2 { subscribers.tellOfMissed() }
        #expect(inbox.lines == [line("missed", 3, #""count":3"#)])
        subscribers.tell(.fault) { Notification(.fault, ["b": 2]) }
        #expect(inbox.lines.last == line("fault", 4, #""b":2"#) && inbox.lines.count == 2)
    }

    @Test func `a limit counts clients that subscribed, and not one that does so again`() {
        var subscribers = Subscribers()
        for client in 1...3 { subscribers.add(client) { _ in true } }
        _ = subscribers.subscribe(1, to: [.fault])
        #expect(subscribers.hasRoom(for: 2, limit: 2))
        _ = subscribers.subscribe(2, to: [.fault])
        #expect(!subscribers.hasRoom(for: 3, limit: 2))
        #expect(subscribers.hasRoom(for: 2, limit: 2))
        subscribers.remove(1)
        #expect(subscribers.hasRoom(for: 3, limit: 2))
    }
}
