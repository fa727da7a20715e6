import Signals
import Testing
import Units

@testable import Synth

/// Sends `input` through a limiter in blocks of `block`.
private func limit(_ input: [Float], ceiling: Decibels = Decibels(-1), rate: SampleRate = .standard, block: Int = 256)
    -> (out: [Float], limiter: Limiter) {
    var limiter = Limiter(rate: rate, ceiling: ceiling)
    let latency = limiter.latency
    var line = [Float](repeating: 0, count: latency + block)
    var out = [Float](repeating: 0, count: input.count)
    var done = 0
    while done < input.count {
        let count = min(block, input.count - done)
        for k in 0..<count { line[latency + k] = input[done + k] }
        line.withUnsafeMutableBufferPointer { line in
            out.withUnsafeMutableBufferPointer { out in
                var lineSpan = line.mutableSpan
                var outSpan = out.mutableSpan
                limiter.process(&lineSpan, count: count, into: &outSpan, at: done, stride: 1)
            }
        }
        done += count
    }
    return (out, limiter)
}

private func noise(_ count: Int, peak: Float) -> [Float] {
    var state: UInt64 = 1
    return (0..<count).map { _ in
        state = state &* 6364136223846793005 &+ 1442695040888963407
        return (Float(state >> 40) / Float(1 << 23) - 1) * peak
    }
}

@Suite struct LimiterTests {
    @Test(arguments: [1, 7, 64, 256])
    func `below the ceiling the output is the input, bit for bit, one millisecond later`(block: Int) {
        let input = noise(10_000, peak: 0.89)
        let (out, limiter) = limit(input, block: block)
        #expect(limiter.latency == 48)
        let same = out[48...].elementsEqual(input[..<(10_000 - 48)])
        #expect(same)
        #expect(limiter.limited == 0)
    }

    @Test(arguments: [8_000, 44_100, 48_000, 192_000])
    func `no sample passes the ceiling, not a number and infinities included`(hertz: Int) throws {
        let rate = try #require(SampleRate(hertz))
        var input = noise(20_000, peak: 4)
        for (n, value) in [Float.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 1e30,
                           .signalingNaN].enumerated() {
            input[3_000 + n * 41] = value
        }
        let (out, _) = limit(input, ceiling: Decibels(-3), rate: rate)
        // 10^(−3/20) = 0.70795.
        #expect(out.allSatisfy { $0.isFinite && $0.magnitude <= 0.7079458 })
        #expect(out.contains { $0.magnitude > 0.3 })
    }

    @Test func `the gain comes down before the peak, without a step`() {
        // A steady 0.5 with one peak of 2: what is around the peak shows the gain.
        var input = [Float](repeating: 0.5, count: 40_000)
        input[10_000] = 2
        let (out, _) = limit(input, ceiling: Decibels(0))
        #expect(abs(out[10_048] - 1) < 1e-6)
        var others = out
        others[10_048] = others[10_047]
        let steps = zip(others[100...].dropFirst(), others[100...]).map { ($0 - $1).magnitude }
        // From gain 1 to 1/2 over 49 frames of 0.5: 0.0051 a frame.
        #expect((steps.max() ?? 1) < 0.0052)
    }

    @Test func `it comes back to rest exactly`() {
        var input = [Float](repeating: 0, count: 1_000) + noise(5_000, peak: 3)
        let quiet = noise(200_000, peak: 0.5)
        input += quiet
        let (out, _) = limit(input)
        let same = out[(out.count - 1_000)...].elementsEqual(input[(input.count - 1_048)..<(input.count - 48)])
        #expect(same)
    }

    @Test(arguments: [1, 7, 64])
    func `limiting is the same in any block size`(block: Int) {
        let input = noise(3_000, peak: 0.3) + noise(3_000, peak: 2) + noise(30_000, peak: 0.5)
        let same = limit(input, block: block).out == limit(input).out
        #expect(same)
    }
}
