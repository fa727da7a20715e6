import Experience
import Signals
import Testing
import Wire

@testable import Live

@Suite struct HouseholdGuestsTests {
    private let second: Int64 = 1_000_000_000

    /// Client 1 has come in Ada's name; 1 and 2 are visitors.
    private func ada() -> HouseholdGuests {
        var guests = HouseholdGuests()
        for client in 1...2 { guests.connected(client, as: .visitor) }
        guests.begins(1)
        guests.came("Ada")
        guests.ended()
        return guests
    }

    @Test func `the client by whose event a household came is its guest, and nobody is of one that comes by itself`() {
        var guests = ada()
        #expect(guests.isGuest(1) && !guests.isGuest(2))
        #expect(guests.visibility(of: 1).has(.name) && !guests.visibility(of: 2).has(.name))
        guests.came(Household.home)
        #expect(!guests.isGuest(1) && guests.visibility(of: 2).has(.name), "the house's own is everybody's")
        guests.came("Bob")
        #expect(!guests.visibility(of: 1).has(.name) && !guests.visibility(of: 2).has(.name))
    }

    @Test func `another that enters the same household is its guest, too, and one that is gone is none`() {
        var guests = ada()
        guests.joined(2)
        #expect(guests.isGuest(2))
        guests.disconnected(1)
        guests.joined(1)
        #expect(!guests.isGuest(1) && guests.isGuest(2), "who goes before its entering is over does not come back by it")
        guests.leave()
        #expect(!guests.isGuest(2))
    }

    @Test func `others wait until guests have done nothing for 20 s, and guests go when they like`() {
        var guests = ada()
        #expect(guests.wait(of: 2, at: second) == nil, "nobody has done anything")
        guests.acted(.connection(1), at: second) { _ in false }
        #expect(guests.wait(of: 2, at: 2 * second) == 19 * second)
        #expect(guests.wait(of: 1, at: 2 * second) == nil)
        #expect(guests.wait(of: 2, at: 21 * second) == nil)
        guests.acted(.connection(2), at: 30 * second) { _ in false }
        guests.acted(.screen(1), at: 30 * second) { _ in false }
        guests.acted(.engine, at: 30 * second) { _ in true }
        #expect(guests.wait(of: 2, at: 31 * second) == nil, "what others do keeps no guest")
        guests.acted(.screen(1), at: 30 * second) { $0 == [1] }
        #expect(guests.wait(of: 2, at: 31 * second) == 19 * second, "a finger on this machine's touchscreen is a guest's")
    }
}

@Suite struct LatestActsTests {
    private let second: Int64 = 1_000_000_000

    @Test func `a client waits for what others did in the last 10 s, and not for its own`() {
        var acts = LatestActs()
        #expect(acts.wait(of: 1, isLocal: false, at: 0) == nil)
        acts.note(.connection(1), at: second)
        #expect(acts.wait(of: 1, isLocal: false, at: 2 * second) == nil)
        #expect(acts.wait(of: 2, isLocal: false, at: 2 * second) == 9 * second)
        acts.note(.connection(2), at: 3 * second)
        acts.note(.connection(1), at: 4 * second)
        #expect(acts.wait(of: 1, isLocal: false, at: 5 * second) == 8 * second)
        #expect(acts.wait(of: 1, isLocal: false, at: 13 * second) == nil)
        acts.note(.engine, at: 14 * second)
        #expect(acts.wait(of: 1, isLocal: false, at: 15 * second) == nil)
    }

    @Test func `who is at this machine's touchscreens is who uses a page of this machine`() {
        var acts = LatestActs()
        acts.note(.connection(3), at: second)
        for screen in 1...4 { acts.note(.screen(screen), at: 2 * second) }
        acts.note(.connection(1), at: 3 * second)
        #expect(acts.wait(of: 1, isLocal: false, at: 4 * second) == 8 * second)
        #expect(acts.wait(of: 1, isLocal: true, at: 4 * second) == 7 * second, "client 3 did something, too")
    }
}
