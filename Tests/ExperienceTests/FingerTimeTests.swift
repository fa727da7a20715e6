import Experience
import Testing

@Suite struct FingerTimeTests {
    /// The quantiles as numpy.percentile has them of the measured flicks.
    @Test func `a flick lasts as long as people's: half of them 137 ms or less, nine in ten 94 ms or more, none longer than half a second`() {
        for (draw, seconds) in [(0.0, 0.057), (0.1, 0.094), (0.5, 0.137), (0.9, 0.202), (1.0, 0.507)] {
            #expect(abs(FingerTime.flick(draw) - seconds) < 1e-12)
        }
        let all = (0...1_000).map { FingerTime.flick(Double($0) / 1_000) }
        #expect(zip(all, all.dropFirst()).allSatisfy { $0 < $1 })
        #expect(abs(FingerTime.flick(0.3) - (0.113 + 0.2 * 0.024)) < 1e-12, "between two of them in proportion")
    }
}
