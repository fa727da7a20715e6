import TestSupport
import Testing

/// The judge of the other tests, judged.
@Suite struct ComparisonTests {
    private static let sound: [UInt32] = {
        var generator = SplitMix64(seed: 4)
        return [UInt32](repeating: 0, count: 1_000) + (0..<60_000).map { _ in .random(in: 1...(.max), using: &generator) }
    }()

    private func faults(_ heard: [UInt32], discontinuities: [Range<Int>] = []) -> [String] {
        Comparison(heard: [0, 0, 0] + heard, expected: Self.sound, discontinuities: discontinuities).faults.map(\.description)
    }

    private func changed(_ frames: Range<Int>, _ change: (UInt32) -> UInt32) -> [UInt32] {
        var heard = Self.sound
        for frame in frames { heard[frame] = change(heard[frame]) }
        return heard
    }

    @Test func `what is the same but for when it began has no faults`() { #expect(faults(Self.sound + [0, 0]) == []) }

    @Test func `one frame is enough, unless it is in a discontinuity`() {
        let heard = changed(20_000..<20_001) { $0 ^ 1 }
        #expect(faults(heard) == ["wrong 20000..<20001"])
        #expect(faults(heard, discontinuities: [19_990..<20_010]) == [])
        #expect(faults(heard, discontinuities: [20_001..<20_010]) == ["wrong 20000..<20001"])
        #expect(faults(heard, discontinuities: [990..<1_010]) == ["unaligned 0..<61000"])
    }

    @Test func `silence amid sound is a dropout`() {
        #expect(faults(changed(20_000..<20_128) { _ in 0 }) == ["dropout 20000..<20128"])
    }

    @Test func `blocks put in or left out are a slip, and the rest still counts`() {
        var heard = changed(50_000..<50_001) { $0 ^ 1 }
        heard.insert(contentsOf: repeatElement(0, count: 512), at: 20_000)
        #expect(faults(heard) == ["slip 20000..<20512", "wrong 50000..<50001"])
        #expect(faults(heard, discontinuities: [49_900..<50_100]) == ["slip 20000..<20512"], "what was left out is elsewhere then")
        var shorter = Self.sound
        shorter.removeSubrange(20_000..<20_256)
        #expect(faults(shorter) == ["slip 20000..<20256"])
    }

    @Test func `a long stretch that was left out is a slip, also if something else is wrong soon after it`() {
        var heard = changed(43_000..<43_001) { $0 ^ 1 }
        heard.removeSubrange(10_000..<30_000)
        #expect(faults(heard) == ["slip 10000..<30000", "wrong 43000..<43001"])
    }

    @Test func `a recording that ends early, or holds nothing, is not what is rendered`() {
        #expect(faults(Array(Self.sound.dropLast(10))) == ["missing 60990..<61000"])
        #expect(faults([]) == ["missing 0..<61000"])
    }
}
