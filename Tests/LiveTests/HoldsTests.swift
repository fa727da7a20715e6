import Signals
import Testing
import Units

@testable import Live

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
}
