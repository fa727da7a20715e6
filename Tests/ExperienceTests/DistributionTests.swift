import Testing

@testable import Experience

@Suite struct DistributionTests {
    /// Large values are kept as ranges, and a bar's edge may lie within one.
    @Test func `each value counts in one bar, at its lower edge too`() {
        var distribution = Distribution()
        let values = [45.0, 45, 50, 55, 55, 55, 60, 65, 65, 70, 95, 0, 2.5, 99.9]
        for value in values { distribution.record(value) }
        let counts = distribution.counts(bins: 40, limit: 100)
        #expect(counts.reduce(0, +) == values.count)
        // Bars of 2.5.
        let expected = [0: 1, 1: 1, 18: 2, 20: 1, 22: 3, 24: 1, 26: 2, 28: 1, 38: 1, 39: 1]
        #expect(counts.enumerated().allSatisfy { $1 == expected[$0] ?? 0 }, "\(counts)")
    }

    @Test(arguments: [6.0, 12])
    func `small values on an edge count above it`(limit: Double) {
        var distribution = Distribution()
        for bin in 0..<40 { distribution.record(limit * Double(bin) / 40) }
        #expect(distribution.counts(bins: 40, limit: limit) == [Int](repeating: 1, count: 40))
    }

    @Test func `what is beyond the limit counts in the last bar`() {
        var distribution = Distribution()
        for value in [10.0, 100, 101, 5_000_000] { distribution.record(value) }
        #expect(distribution.counts(bins: 4, limit: 100) == [1, 0, 0, 3])
        #expect(Distribution().counts(bins: 3, limit: 1) == [0, 0, 0])
    }

    /// Of a value v, in thousandths, 11 bits are kept: 500,000 has 19, and is in the class from 1,953 × 256 to 1,954 × 256 - 1.
    @Test func `three digits of a value are kept, and the least and the greatest whole`() {
        var distribution = Distribution()
        #expect(distribution.percentile(50) == 0 && distribution.mean == 0 && distribution.count == 0)
        for value in 1...1_000 { distribution.record(Double(value)) }
        #expect(distribution.count == 1_000)
        #expect(distribution.percentile(0) == 1 && distribution.percentile(50) == 500.223 && distribution.percentile(100) == 1_000)
        #expect(distribution.percentile(0.1) == 1 && distribution.percentile(0.2) == 2)
        #expect(abs(distribution.mean - 500.5) < 0.5)
    }
}
