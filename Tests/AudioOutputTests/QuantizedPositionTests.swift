import Testing
import Units

@testable import AudioOutput

@Suite struct QuantizedPositionTests {
    private func climbed(_ positions: [Int64], least: Int64 = 128) -> QuantizedPosition {
        var quantized = QuantizedPosition(least: FrameCount(least))
        for position in positions { quantized.observe(position) }
        return quantized
    }

    @Test func `a step is what all positions are multiples of, apart, and no less than was asked for`() {
        #expect(climbed([]).step == 2_048, "nothing is known: careful")
        #expect(climbed([4_096, 4_096]).step == 2_048)
        #expect(climbed([5_000, 5_000 + 3 * 1_024]).step == 3_072)
        #expect(climbed([5_000, 5_000 + 3 * 1_024, 5_000 + 7 * 1_024]).step == 1_024)
        #expect(climbed([5_000, 5_064, 5_192]).step == 128)
    }

    @Test func `a step has been taken when the line is past its beginning`() {
        let quantized = climbed([1_280, 1_408])
        #expect(quantized.taken(by: 1_400, seen: 1_408) == 1_408)
        #expect(quantized.taken(by: 1_408, seen: 1_408) == 1_408)
        #expect(quantized.taken(by: 1_408.5, seen: 1_408) == 1_536)
        #expect(quantized.taken(by: 1_408.5, seen: 1_280) == 1_536)
    }

    @Test func `slack is counted to the beginning of the step that holds a frame`() {
        let quantized = climbed([1_280, 1_408])
        #expect(quantized.slack(to: 1_536, at: 1_500, seen: 1_408) == 36)
        #expect(quantized.slack(to: 1_600, at: 1_500, seen: 1_408) == 36)
        #expect(quantized.slack(to: 1_400, at: 1_250, seen: 1_408) == -1, "seen is seen")
        #expect(quantized.slack(to: 1_450, at: 1_410, seen: 1_408) == -2)
        #expect(quantized.slack(to: 1_400, at: 1_300, seen: 1_408) == -20)
    }

    /// 48 frames a millisecond.
    private static let rate = 48e3 / 1e9

    @Test func `the line is at least where the step that came earliest lately says it is`() throws {
        var quantized = climbed([1_280, 1_408])
        #expect(quantized.least(at: 0, rate: Self.rate) == nil)
        quantized.observe(1_408, at: 1_000_000_000, rate: Self.rate)
        #expect(quantized.least(at: 1_000_000_000, rate: Self.rate) == 1_280, "the step before it was taken")
        #expect(quantized.least(at: 1_001_000_000, rate: Self.rate) == 1_328)
        // 375 steps a second: a second later 48,000 frames. One of them comes 1 ms late, the next one 0.5 ms early.
        quantized.observe(1_408 + 48_000, at: 2_001_000_000, rate: Self.rate)
        #expect(abs(try #require(quantized.least(at: 2_001_000_000, rate: Self.rate)) - (1_280 + 48_048)) < 1e-6)
        quantized.observe(1_408 + 48_128, at: 2_003_166_667 - 1_000_000, rate: Self.rate)
        #expect(abs(try #require(quantized.least(at: 2_002_166_667, rate: Self.rate)) - (1_280 + 48_128)) < 1e-6)
    }

    @Test func `what came early is forgotten after two to four seconds`() {
        var quantized = climbed([1_280, 1_408])
        quantized.observe(1_408 + 480, at: 0, rate: Self.rate)
        var early: [Double] = []
        for second in 1...6 {
            let moment = Int64(second) * 1_000_000_000
            quantized.observe(1_408 + Int64(second) * 48_000, at: moment, rate: Self.rate)
            early.append((quantized.least(at: moment, rate: Self.rate) ?? 0) - 1_280 - Double(second) * 48_000)
        }
        #expect(early.prefix(2) == [480, 480] && early.last == 0, "\(early)")
    }
}
