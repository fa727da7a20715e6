import CLinux
import ColorScroller
import Dispatch
import Evdev
import Synchronization
import Testing
import TestSupport
import Wire

@testable import Live

/// What programs are told of why something is refused.
@Suite struct StageRefusalsTests {
    private let rig: StageRig

    init() throws { rig = try StageRig(ColorScroller.self) }

    @Test func `a planned event that stop drops is cancelled`() async throws {
        _ = try await rig.connect(1, as: .operator)
        let answers = try await rig.plan(1, "chime.play", #"{"name":"ding","delay":600000}"#)
        #expect(answers.all.isEmpty)
        _ = try await rig.ask(1, "stop", "{}")
        #expect(reason(answers.all.first) == "cancelled")
        try await rig.stop()
    }

    @Test func `a visitor's end of a session drops what visitors have planned, and not what operators have`() async throws {
        for (client, role) in [(1, Role.visitor), (2, .visitor), (9, .operator)] { _ = try await rig.connect(client, as: role) }
        var planned: [Int: Lines] = [:]
        for client in [1, 2, 9] { planned[client] = try await rig.plan(client, "tap", #"{"delay":600000}"#) }
        _ = try await rig.ask(1, "session.end", "{}")
        #expect(reason(planned[1]?.all.first) == "cancelled" && reason(planned[2]?.all.first) == "cancelled")
        #expect(planned[9]?.all.isEmpty == true)
        _ = try await rig.ask(9, "session.end", "{}")
        #expect(reason(planned[9]?.all.first) == "cancelled")
        try await rig.stop()
    }

    @Test func `a visitor's stops in a row are refused with the wait, and an operator's are not`() async throws {
        _ = try await rig.connect(1)
        _ = try await rig.connect(2, as: .watch)
        _ = try await rig.connect(9, as: .operator)
        for client in [1, 2] {
            for _ in 0..<3 { #expect(reason(try await rig.ask(client, "stop", "{}")) == nil) }
            let refused = try await rig.ask(client, "stop", "{}")
            #expect(reason(refused) == "too-fast" && refused?.contains(#""retryAfter":"#) == true, "\(refused ?? "")")
        }
        for _ in 0..<20 { #expect(reason(try await rig.ask(9, "stop", "{}")) == nil) }
        try await rig.stop()
    }

    @Test func `what lets go of nothing is answered and leaves no event, and what was held is let go of`() async throws {
        _ = try await rig.connect(1)
        _ = try await rig.connect(9, as: .operator)
        _ = try await rig.ask(1, "touch", #"{"phase":"began","id":1}"#)
        func events() async throws -> Int? {
            try await rig.stage.loop.submit { [stage = rig.stage] in stage.assumeIsolated { $0.conductor.run?.events } }.get()
        }
        let before = try #require(try await events())
        for _ in 0..<50 { #expect(try await rig.ask(1, "touch", #"{"phase":"ended","id":3}"#)?.contains("result") == true) }
        #expect(try await events() == before)
        _ = try await rig.ask(1, "touch", #"{"phase":"ended","id":1}"#)
        #expect(try #require(try await events()) > before)
        try await rig.stop()
    }

    @Test func `a name that the theme does not have is not now, and a method of another piece's kind is not here`() async throws {
        _ = try await rig.connect(1, as: .operator)
        #expect(reason(try await rig.ask(1, "chime.play", #"{"name":"gong"}"#)) == "not-now")
        #expect(reason(try await rig.ask(1, "purchase.redeem", #"{"receipt":"a"}"#)) == "not-here")
        try await rig.stop()
    }

    @Test func `long questions of operators keep no look waiting, take turns, and are refused where there is no room`() async throws {
        _ = try await rig.connect(1, as: .operator)
        let operators = rig.stage.workers.operators
        let gate = DispatchSemaphore(value: 0)
        // Both threads are held, and a client has all the jobs waiting that it may have.
        let held = Mutex(0)
        for client in [1, 2] {
            operators.start(for: client) {
                held.withLock { $0 += 1 }
                gate.wait()
            } refused: { _ in Issue.record("no thread took it") }
        }
        #expect(try await eventually { held.withLock { $0 } == 2 })
        let waiting = try await rig.plan(1, "telemetry.export", "{}")
        for _ in 1..<16 { _ = try await rig.plan(1, "telemetry.export", "{}") }
        let more = try await rig.askPatiently(1, "telemetry.export", "{}")
        #expect(reason(more) == "busy", "\(more ?? "no answer")")
        #expect(try await rig.askPatiently(1, "session.list", "{}") != nil)
        #expect(waiting.all.isEmpty)
        for _ in 0..<2 { gate.signal() }
        #expect(try await rig.askPatiently(1, "session.list", "{}") != nil)
        #expect(try await waiting.first() != nil)
        try await rig.stop()
    }

    @Test func `a notification that is refused is counted for its client, with the reason, and nobody is answered`() async throws {
        _ = try await rig.connect(1, as: .operator)
        _ = try await rig.connect(2, as: .operator)
        try await rig.notify(1, "chime.play", #"{"name":"gong"}"#)
        try await rig.notify(1, "feed.scroll", #"{"index":900}"#)
        try await rig.notify(1, "chime.play", #"{"name":"ding"}"#)
        _ = try await rig.ask(2, "chime.play", #"{"name":"gong"}"#)
        let clients = try #require(try await rig.ask(2, "client.list", "{}"))
        #expect(clients.contains(#""lastRefusal":"index: expected "#) && clients.contains(#""refused":2,"#), "\(clients)")
        #expect(clients.hasSuffix(#"{"client":2,"isLocal":true,"refused":0,"role":"operator"}]}}"#), "it was answered: \(clients)")
        let status = try #require(try await rig.ask(2, "status", "{}"))
        #expect(status.contains(#""lastNotification":"index: expected "#) && status.contains(#""notifications":2,"#), "\(status)")
        try await rig.stop()
    }

    @Test func `a client has ten fingers, and those of others are not its own`() async throws {
        for client in [1, 2] { _ = try await rig.connect(client) }
        func began(_ finger: Int, of client: Int) async throws -> String? {
            reason(try await rig.ask(client, "touch", #"{"phase":"began","id":\#(finger)}"#))
        }
        for finger in 1...10 { #expect(try await began(finger, of: 1) == nil) }
        #expect(try await began(11, of: 1) == "no-room")
        #expect(try await began(10, of: 1) == nil, "it is down already")
        #expect(try await began(1, of: 2) == nil)
        _ = try await rig.ask(1, "touch", #"{"phase":"ended","id":11}"#)
        #expect(try await began(11, of: 1) == "no-room", "that one was not down")
        _ = try await rig.ask(1, "touch", #"{"phase":"ended","id":4}"#)
        #expect(try await began(11, of: 1) == nil)
        try await rig.stop()
    }

    @Test func `a visitor is told neither the status nor what is wrong, and subscribes to the rest`() async throws {
        _ = try await rig.connect(1)
        _ = try await rig.connect(2, as: .watch)
        for topic in ["event", "device", "fault"] {
            #expect(reason(try await rig.ask(1, "subscribe", #"{"topics":["\#(topic)"]}"#)) == "not-allowed")
        }
        let visitor = try #require(try await rig.ask(1, "subscribe", "{}"))
        #expect(visitor.contains(#""snapshot""#) && visitor.contains(#""scroll""#) && !visitor.contains(#""status""#))
        #expect(!visitor.contains(#""fault""#) && !visitor.contains(#""event""#))
        let watcher = try #require(try await rig.ask(2, "subscribe", "{}"))
        #expect(watcher.contains(#""status""#) && watcher.contains(#""fault""#) && watcher.contains(#""event""#))
        try await rig.stop()
    }

    @Test func `who comes by OSC is greeted with what may be called over OSC, and others with what their role may call`() async throws {
        _ = try await rig.connect(1, as: .operator, isLocal: false, identity: .token("anna"))
        _ = try await rig.connect(2, as: .operator, isLocal: false, identity: .sender)
        _ = try await rig.connect(3, as: .player, isLocal: false, identity: .sender)
        var greetings: [String] = []
        for client in 1...3 { greetings.append(try #require(try await rig.ask(client, "hello", "{}"))) }
        func mayCall(_ method: String) -> [Bool] { greetings.map { $0.contains("\"\(method)\"") } }
        #expect(mayCall("token.add") == [true, false, false] && mayCall("subscribe") == [true, false, false])
        #expect(mayCall("setting.reload") == [true, true, false] && mayCall("chime.play") == [true, true, true])
        try await rig.stop()
    }

    @Test func `a page whose touches do not count is not the owner`() async throws {
        _ = try await rig.connect(1)
        await rig.stage.follow([Devices.Report.Screen(number: 1, name: "Front", node: "/dev/input/event0")])
        _ = try await rig.ask(1, "hello", #"{"touches":"engine"}"#)
        #expect(reason(try await rig.ask(1, "tap", "{}")) == "not-owner")
        try await rig.stop()
    }

    @Test func `a client that has planned all that it may has no room, and one that only watches may not plan`() async throws {
        _ = try await rig.connect(1, as: .operator)
        for _ in 0..<512 { #expect(try await rig.ask(1, "tap", #"{"delay":600000}"#) == nil) }
        #expect(reason(try await rig.ask(1, "tap", #"{"delay":600000}"#)) == "no-room")
        _ = try await rig.connect(2, as: .watch)
        #expect(reason(try await rig.ask(2, "stop", #"{"delay":600000}"#)) == "not-allowed")
        try await rig.stop()
    }
}
