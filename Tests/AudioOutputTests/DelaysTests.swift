import Testing
import TestSupport

@testable import AudioOutput

@Suite struct DelaysTests {
    @Test func `it is the sink's block, the way there and a spare, and less when they are less`() {
        var delays = Delays()
        var generator = SplitMix64(seed: 1)
        #expect(delays.heardToChangeable > 20_000_000, "nothing is known: careful")
        for _ in 0..<40 {
            delays.observe(block: .random(in: 0...1_000_000, using: &generator))
            delays.observe(block: 1_000_000)
            delays.landed(flight: 200_000, slack: 100_000)
            delays.observe(travel: 150_000)
        }
        #expect((1_200_000...1_800_000).contains(delays.heardToChangeable))
        #expect(delays.eventToSound == delays.heardToChangeable + 150_000)
    }

    @Test func `a change that came late widens it at once by more than that, and it narrows slowly`() {
        var delays = Delays()
        for _ in 0..<1_000 { delays.landed(flight: 200_000, slack: 100_000) }
        let narrow = delays.heardToChangeable
        delays.landed(flight: 200_000, slack: -700_000)
        #expect(delays.heardToChangeable >= narrow + 700_000)
        for _ in 0..<10 { delays.landed(flight: 200_000, slack: 100_000) }
        #expect(delays.heardToChangeable >= narrow + 500_000)
        for _ in 0..<1_000 { delays.landed(flight: 200_000, slack: 100_000) }
        #expect(delays.heardToChangeable <= narrow + 10_000)
    }

    @Test func `it stays within bounds whatever happens`() {
        var delays = Delays()
        for _ in 0..<100 {
            delays.landed(flight: .max / 4, slack: -50_000_000)
            delays.observe(travel: 3_600_000_000_000)
        }
        #expect(delays.spare == Delays.spares.upperBound)
        #expect(delays.flight <= Delays.longestFlight + Delays.spares.upperBound)
        #expect(delays.eventToSound - delays.heardToChangeable <= Delays.longestTravel)
    }

    @Test func `a moved stream's old sink is forgotten, the way to the server is not`() {
        var delays = Delays()
        delays.observe(block: 100_000_000)
        delays.landed(flight: 3_000_000, slack: 0)
        delays.forgetSink()
        #expect(delays.block == 20_000_000 && delays.flight == 3_000_000 + delays.spare)
    }

    @Test func `a window keeps the last 32`() {
        var window = Window()
        for value in 1...40 { window.add(Int64(value)) }
        #expect(window.smallest == 9 && window.largest == 40 && window.nearlyLargest == 36)
    }
}
