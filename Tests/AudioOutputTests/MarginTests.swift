import Testing
import TestSupport

@testable import AudioOutput

@Suite struct MarginTests {
    @Test func `it is the sink's block, the way there and a spare, and less when they are less`() {
        var margin = Margin()
        var generator = SplitMix64(seed: 1)
        #expect(margin.reach > 20_000_000, "nothing is known: careful")
        for _ in 0..<40 {
            margin.observe(block: .random(in: 0...1_000_000, using: &generator))
            margin.observe(block: 1_000_000)
            margin.landed(flight: 200_000, slack: 100_000)
            margin.observe(travel: 150_000)
        }
        #expect((1_200_000...1_800_000).contains(margin.reach))
        #expect(margin.lead == margin.reach + 150_000)
    }

    @Test func `a change that came late widens it at once by more than that, and it narrows slowly`() {
        var margin = Margin()
        for _ in 0..<1_000 { margin.landed(flight: 200_000, slack: 100_000) }
        let narrow = margin.reach
        margin.landed(flight: 200_000, slack: -700_000)
        #expect(margin.reach >= narrow + 700_000)
        for _ in 0..<10 { margin.landed(flight: 200_000, slack: 100_000) }
        #expect(margin.reach >= narrow + 500_000)
        for _ in 0..<1_000 { margin.landed(flight: 200_000, slack: 100_000) }
        #expect(margin.reach <= narrow + 10_000)
    }

    @Test func `it stays within bounds whatever happens`() {
        var margin = Margin()
        for _ in 0..<100 {
            margin.landed(flight: .max / 4, slack: -50_000_000)
            margin.observe(travel: 3_600_000_000_000)
        }
        #expect(margin.spare == Margin.spares.upperBound)
        #expect(margin.flight <= Margin.longestFlight + Margin.spares.upperBound)
        #expect(margin.lead - margin.reach <= Margin.longestTravel)
    }

    @Test func `a moved stream's old sink is forgotten, the way to the server is not`() {
        var margin = Margin()
        margin.observe(block: 100_000_000)
        margin.landed(flight: 3_000_000, slack: 0)
        margin.forgetSink()
        #expect(margin.block == 20_000_000 && margin.flight == 3_000_000 + margin.spare)
    }

    @Test func `a window keeps the last 32`() {
        var window = Window()
        for value in 1...40 { window.add(Int64(value)) }
        #expect(window.smallest == 9 && window.largest == 40 && window.nearlyLargest == 36)
    }
}
