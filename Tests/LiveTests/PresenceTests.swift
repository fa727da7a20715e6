import Signals
import Testing
import Wire

@testable import Live

@Suite struct PresenceTests {
    private func finger(_ phase: Touch.Phase, of client: Int) -> Event {
        Event(client: .connection(client), .touch(Touch(phase, finger: 1)))
    }

    @Test func `gestures of our own are unwanted while a client that may control reports them`() {
        var presence = Presence()
        presence.connected(1, as: .control)
        presence.connected(2, as: .watch)
        presence.introduced(2, reportsGestures: true)
        #expect(!presence.hasGestures, "who may only watch takes nothing away")
        presence.introduced(1, reportsGestures: true)
        #expect(presence.hasGestures)
        presence.introduced(1, reportsGestures: false)
        #expect(!presence.hasGestures, "it took that back")
        presence.introduced(1, reportsGestures: true)
        presence.disconnected(1)
        #expect(!presence.hasGestures, "it is gone")
        #expect(presence.count == 1 && presence.role(of: 2) == .watch && presence.role(of: 1) == .control)
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

    @Test func `those let go of are counted by why, and who left by itself is not`() {
        var presence = Presence()
        for departure in [Presence.Reason(.left), Presence.Reason(.silent), Presence.Reason(.unread), Presence.Reason(.unread), .held] {
            if let departure { presence.count(departure) }
        }
        #expect(presence.released == StatusReport.Released(held: 1, silent: 1, unread: 2))
    }
}
