import Signals
import Testing
import Units
import Wire

@testable import Live

@Suite struct PresenceTests {
    private func finger(_ phase: Touch.Phase, of client: Int) -> Event {
        Event(client: .connection(client), .touch(Touch(phase, finger: 1)))
    }

    @Test func `gestures of our own are unwanted while a client that may control reports them`() {
        var presence = Presence()
        presence.connected(1, as: .operator, isLocal: true)
        presence.connected(2, as: .watch, isLocal: false)
        presence.introduced(2, as: nil, reportsGestures: true)
        #expect(!presence.hasGestures, "who may only watch takes nothing away")
        presence.connected(3, as: .player, isLocal: false)
        presence.introduced(3, as: nil, reportsGestures: true)
        #expect(!presence.hasGestures, "who only plays takes nothing away either")
        presence.disconnected(3)
        presence.introduced(1, as: nil, reportsGestures: true)
        #expect(presence.hasGestures)
        presence.introduced(1, as: nil, reportsGestures: false)
        #expect(!presence.hasGestures, "it took that back")
        presence.introduced(1, as: nil, reportsGestures: true)
        presence.disconnected(1)
        #expect(!presence.hasGestures, "it is gone")
        #expect(presence.count == 1 && presence.role(of: 2) == .watch && presence.role(of: 1) == .operator, "who has gone keeps its role")
        #expect(presence.role(of: 99) == .visitor, "nobody knows it, so it has the least")
    }

    @Test func `who cannot be let go for want of room is remembered until there is some`() {
        var presence = Presence()
        let clients: [Client] = [.connection(3), .screen(1)]
        let haveGone = clients.map { presence.departs($0, hasRoom: false) }
        #expect(haveGone == [false, false])
        #expect(presence.departed == Set(clients))
        let hasGone = presence.departs(.connection(3), hasRoom: true)
        #expect(hasGone)
        #expect(presence.departed == [.screen(1)])
    }

    @Test func `who holds something is found by its last sign, and nothing is held over from another session`() {
        var presence = Presence()
        presence.follow(finger(.began, of: 1), counts: true, session: 1, at: 10)
        presence.follow(finger(.moved, of: 1), counts: false, session: 1, at: 99)
        #expect(presence.holding(silentSince: 10) == [.connection(1)], "what changed nothing is no sign")
        presence.follow(finger(.began, of: 2), counts: true, session: 2, at: 20)
        #expect(presence.holding(silentSince: 100) == [.connection(2)])
        presence.forgetHolds(of: .connection(2))
        #expect(presence.holding(silentSince: 100) == [])
        presence.follow(finger(.began, of: 3), counts: true, session: 2, at: 30)
        presence.endHolds()
        #expect(presence.holding(silentSince: 100) == [])
    }

    @Test func `visitors from elsewhere leave fingers to this machine's pages, and both leave some to its touchscreens and operators`() {
        var presence = Presence()
        for guest in 1...7 { presence.connected(guest, as: guest == 3 ? .player : .visitor, isLocal: false) }
        for page in [8, 9] { presence.connected(page, as: .visitor, isLocal: true) }
        presence.connected(10, as: .operator, isLocal: false)
        func take(by client: Int) -> Int {
            var taken = 0
            for finger in 0..<12 {
                let touch = Event(client: .connection(client), .touch(Touch(.began, finger: finger)))
                guard presence.refusal(of: touch.kind, from: touch.client) == nil else { continue }
                presence.follow(touch, counts: true, session: 1, at: 0)
                taken += 1
            }
            return taken
        }
        let guests = (1...7).map { take(by: $0) }
        #expect(guests == [10, 10, 4, 2, 2, 2, 2], "the last eight of their 32 are for those who hold less than two")
        let others = (8...10).map { take(by: $0) }
        #expect(others == [10, 6, 10])
        let refusal = presence.refusal(of: .touch(Touch(.began, finger: 5)), from: .connection(7))
        #expect(refusal?.expected == "fewer fingers of visitors down at once: the others are kept for this machine's pages and touchscreens")
        #expect(presence.refusal(of: .touch(Touch(.ended, finger: 0)), from: .connection(1)) == nil)
    }

    @Test func `refused notifications are counted by client while it is there, and in all for ever`() {
        var presence = Presence()
        presence.connected(1, as: .visitor, isLocal: true)
        presence.refused(1, "first")
        presence.refused(1, String(repeating: "x", count: 300))
        presence.connected(2, as: .visitor, isLocal: true)
        #expect(presence.list.map(\.refused) == [2, 0])
        #expect(presence.list.map(\.lastRefusal) == [String(repeating: "x", count: 256), nil], "it may quote what was sent")
        presence.disconnected(1)
        presence.refused(1, "planned before it went")
        presence.connected(1, as: .visitor, isLocal: true)
        #expect(presence.list.map(\.refused) == [0, 0], "another with the same number begins anew")
        #expect(presence.refusedNotifications.count == 3 && presence.refusedNotifications.last == "planned before it went")
    }

    @Test func `those let go of are counted by why, and who left by itself is not`() {
        var presence = Presence()
        for departure in [ReleaseReport.Reason(.left), ReleaseReport.Reason(.silent), ReleaseReport.Reason(.unread), ReleaseReport.Reason(.unread), .held] {
            if let departure { presence.count(departure) }
        }
        #expect(presence.released == StatusReport.Released(held: 1, silent: 1, unread: 2))
    }

    @Test func `a page that tells of the same frame again has stopped drawing, and one that has gone is forgotten`() {
        var presence = Presence()
        presence.connected(4, as: .watch, isLocal: false)
        presence.introduced(4, as: "feed", reportsGestures: false)
        #expect(presence.pages(at: 0) == [], "it has told of nothing")
        presence.drew(4, frames: 0, at: 500_000_000)
        #expect(presence.pages(at: 600_000_000) == [], "it has drawn nothing")
        presence.drew(4, frames: 60, at: 1_000_000_000)
        presence.drew(4, frames: 60, at: 3_000_000_000)
        #expect(presence.pages(at: 4_000_000_000) == [StatusReport.Page(client: 4, name: "feed", frames: 60, secondsSinceFrame: 3)])
        presence.drew(4, frames: 61, at: 4_500_000_000)
        #expect(presence.pages(at: 5_000_000_000).map(\.secondsSinceFrame) == [0.5])
        presence.disconnected(4)
        #expect(presence.pages(at: 5_000_000_000) == [])
    }
}

@Suite struct HoldsTests {
    private func touch(_ phase: Touch.Phase, _ finger: Int, of client: Int) -> Event {
        Event(client: Client(number: client), .touch(Touch(phase, finger: finger)))
    }

    private func tone(on: Bool? = nil, frequency: Double? = nil, of client: Int) -> Event {
        Event(client: Client(number: client), .tone(ToneRequest(on: on, frequency: frequency.map { Hertz($0) })))
    }

    @Test func `a finger is silent from its last sign on, whatever else its client does`() {
        var holds = Holds()
        holds.follow(touch(.began, 1, of: 7), at: 10)
        holds.follow(touch(.began, 2, of: 7), at: 10)
        holds.follow(touch(.moved, 1, of: 7), at: 50)
        holds.follow(Event(client: .connection(7), .chime(name: "ding")), at: 60)
        #expect(holds.clients(silentSince: 9).map(\.number) == [])
        #expect(holds.clients(silentSince: 10).map(\.number) == [7], "the second finger")
        holds.follow(touch(.ended, 2, of: 7), at: 70)
        #expect(holds.clients(silentSince: 49).map(\.number) == [])
        #expect(holds.clients(silentSince: 50).map(\.number) == [7])
    }

    @Test func `a tone is alive when it is set anew, and only who holds it keeps it so`() {
        var holds = Holds()
        holds.follow(tone(on: true, of: 1), at: 10)
        holds.follow(tone(on: true, of: 2), at: 10)
        holds.follow(tone(frequency: 440, of: 2), at: 20)
        holds.follow(tone(frequency: 440, of: 3), at: 20)
        #expect(holds.clients(silentSince: 15).map(\.number) == [1])
        holds.follow(tone(on: false, of: 1), at: 30)
        #expect(holds.clients(silentSince: 100).map(\.number) == [2])
    }

    @Test func `what was let go of is forgotten`() {
        var holds = Holds()
        for client in [-1, 1, 2] { holds.follow(touch(.began, 0, of: client), at: 10) }
        #expect(holds.clients(silentSince: 10).map(\.number) == [-1, 1, 2])
        holds.follow(Event(client: .connection(1), .left), at: 20)
        #expect(holds.clients(silentSince: 10).map(\.number) == [-1, 2])
        holds.follow(Event(client: .connection(2), .stop), at: 20)
        #expect(holds.clients(silentSince: 10).map(\.number) == [])
    }

    @Test func `pink noise has played long enough a minute after it was last switched on`() {
        var presence = Presence()
        func noise(_ level: Decibels?, of client: Int, at now: Int64) {
            presence.follow(Event(client: .connection(client), .noise(level)), counts: true, session: 1, at: now)
        }
        let minute: Int64 = 60_000_000_000
        for client in [1, 2, 3] { noise(Decibels(-30), of: client, at: 0) }
        noise(Decibels(-20), of: 2, at: 10)
        noise(nil, of: 3, at: 10)
        #expect(presence.playingLongNoise(at: minute - 1).isEmpty)
        #expect(presence.playingLongNoise(at: minute) == [.connection(1)])
        #expect(presence.playingLongNoise(at: minute + 10) == [.connection(1), .connection(2)])
        noise(nil, of: 1, at: minute)
        presence.forgetHolds(of: .connection(2))
        #expect(presence.playingLongNoise(at: 2 * minute).isEmpty)
        noise(Decibels(-30), of: 1, at: 0)
        presence.follow(Event(client: .connection(9), .stop), counts: true, session: 1, at: 1)
        #expect(presence.playingLongNoise(at: minute).isEmpty)
    }
}
