import Signals
import Testing
import Wire

@testable import Live

@Suite struct HumanRatesTests {
    private static let second: Int64 = 1_000_000_000

    /// How many of `count` a client may do at one moment.
    private func done(_ rates: inout HumanRates, _ doing: HumanRates.ActionKind, _ count: Int, by client: Int = 1, at now: Int64 = 0) -> Int {
        var done = 0
        for _ in 0..<count where rates.refusal(of: doing, by: client, .user(UInt32(client)), at: now) == nil { done += 1 }
        return done
    }

    @Test(arguments: [(HumanRates.ActionKind.moving, 2_500), (.tapping, 200), (.playing, 250), (.deciding, 20)])
    func `a visitor does in a second what ten fingers can, and no more`(doing: HumanRates.ActionKind, perSecond: Int) {
        var rates = HumanRates(journalSpace: 4 << 30)
        _ = done(&rates, doing, 5_000)
        #expect(done(&rates, doing, 1) == 0, "what it had at first is used up")
        var all = 0
        // Twenty in each millisecond, for ten seconds.
        for millisecond in 1...10_000 { all += done(&rates, doing, 20, at: Int64(millisecond) * 1_000_000) }
        #expect(abs(all - 10 * perSecond) <= 1)
        #expect(rates.refused > 0)
    }

    @Test func `ten fingers at 250 Hz are never refused, a minute long`() {
        var rates = HumanRates(journalSpace: 40 << 30)
        var refused = 0
        for tick in 0..<(60 * 250) { refused += 10 - done(&rates, .moving, 10, at: Int64(tick) * Self.second / 250) }
        #expect(refused == 0)
    }

    @Test func `seventy floods take nothing from a visitor who does little`() {
        var rates = HumanRates(journalSpace: 40 << 30)
        var served = 0
        for tick in 0..<600 {
            let now = Int64(tick) * Self.second / 60
            for flood in 1...70 { _ = done(&rates, .tapping, 50, by: flood, at: now) }
            if tick % 6 == 0 { served += done(&rates, .tapping, 1, by: 99, at: now) }
        }
        #expect(served == 100)
    }

    @Test func `new names come slowly, each client's and all together`() {
        var rates = HumanRates(journalSpace: 4 << 30)
        #expect(done(&rates, .naming, 100) == 20)
        #expect(done(&rates, .naming, 100, at: 3_600 * Self.second) == 20)
        var day = 0
        for client in 2...1_000 { day += done(&rates, .naming, 5, by: client, at: 3_600 * Self.second) }
        #expect(day == 40, "sixty of all clients together")
        day = 0
        for minute in 61...(61 + 24 * 60) {
            for client in 2...20 { day += done(&rates, .naming, 1, by: client, at: Int64(minute) * 60 * Self.second) }
        }
        #expect(day < 8_900, "all the room of 10,000 households would take more than a day")
    }

    @Test func `floods fill half of what visitors may put into journals, and the other half is for those who do little`() {
        var rates = HumanRates(journalSpace: 1 << 30)
        var all = 0
        for tick in 0..<3_000 {
            for client in 1...10 { all += done(&rates, .moving, 20, by: client, at: Int64(tick) * Self.second / 100) }
        }
        // A thirty-second of 1 GiB in lines of 256 bytes, and 250 more in each of thirty seconds.
        #expect((138_000...139_500).contains(all))
        #expect(rates.refusal(of: .moving, by: 1, .unknown, at: 30 * Self.second - 10_000_000)?.message.contains("bytes of journals") == true)
        var served = 0
        for tick in 0..<3_600 {
            let now = 30 * Self.second + Int64(tick) * Self.second / 60
            for client in 1...10 { _ = done(&rates, .moving, 40, by: client, at: now) }
            served += done(&rates, .moving, 1, by: 99, at: now)
        }
        #expect(served == 3_600)
    }

    @Test func `a session counts with its journal's first line, so that many short ones are a flood as well`() {
        var rates = HumanRates(journalSpace: 512 << 20)
        var begun = 0
        // A tap that begins one, and its end, a hundred times a second.
        for tick in 0..<6_000 where rates.refusal(of: .tapping, by: 1, .unknown, at: Int64(tick) * Self.second / 100) == nil {
            rates.begunSession(by: 1, at: Int64(tick) * Self.second / 100)
            begun += 1
        }
        // Half of 32 MiB in first lines of 32 KiB, and two more in each of sixty seconds.
        #expect((600...650).contains(begun))
    }

    @Test func `what a client does is forgotten with it`() {
        var rates = HumanRates(journalSpace: 4 << 30)
        #expect(done(&rates, .deciding, 100) == 40)
        rates.forget(1)
        #expect(done(&rates, .deciding, 100) == 40)
    }

    @Test func `the first stop is obeyed, whatever others do, and of further ones each says when`() {
        var rates = HumanRates(journalSpace: 4 << 30)
        #expect(done(&rates, .stopping, 10) == 3)
        let refusal = rates.refusal(of: .stopping, by: 1, .unknown, at: Self.second)
        #expect(refusal?.retryAfter == 4 && refusal?.message.contains("more stops than a person makes") == true)
        #expect(done(&rates, .stopping, 1, at: 5 * Self.second) == 1)
        var rest = HumanRates(journalSpace: 4 << 30)
        for client in 1...20 { _ = done(&rest, .stopping, 1, by: client) }
        #expect(done(&rest, .stopping, 1, by: 99) == 0, "the sound was stopped just now")
        #expect(done(&rest, .stopping, 1, by: 99, at: Self.second) == 1)
    }

    @Test func `what lets go of one's own is never asked about`() {
        let releases: [EventKind] = [.touch(Touch(.ended)), .tone(ToneRequest(on: false)), .texture(name: "purr", on: false), .left]
        #expect(releases.allSatisfy { $0.actionKind(isForHousehold: false) == nil })
        #expect(EventKind.touch(Touch(.moved)).actionKind(isForHousehold: false) == .moving && EventKind.touch(Touch(.began)).actionKind(isForHousehold: false) == .tapping)
        #expect(EventKind.action(Action(UncheckedAction(name: "a", fields: [:]))).actionKind(isForHousehold: true) == .deciding)
    }

    @Test func `who connects anew brings no more names and guesses no faster, and others with other credentials bring theirs`() {
        var rates = HumanRates(journalSpace: 4 << 30)
        var (names, guesses, others) = (0, 0, 0)
        for client in 1...6_000 {
            let now = Int64(client) * Self.second / 100
            if rates.refusal(of: .naming, by: client, .token("phone"), at: now) == nil { names += 1 }
            if rates.refusal(of: .entering, by: client, .token("phone"), at: now) == nil { guesses += 1 }
            rates.forget(client)
            if client % 600 == 0, rates.refusal(of: .naming, by: 10_000 + client, .token("hall"), at: now) == nil { others += 1 }
        }
        // A minute: 20 names at once and one in 20 s; 40 secrets at once and two a second.
        #expect((22...24).contains(names) && (158...161).contains(guesses) && others == 10)
    }
}
