import Histogram

/// How often a quantity took which values.
public struct Distribution: Sendable {
    /// What is kept of a value: a thousandth of its unit, and three digits.
    private static let scale = 1000.0
    private var histogram = Histogram<UInt64>(highestTrackableValue: 1_000_000_000, numberOfSignificantValueDigits: .three)

    public init() {}

    /// Values below 0 count as 0, those above a million as a million.
    public mutating func record(_ value: Double) {
        histogram.record(UInt64(min(1_000_000, max(0, value)) * Self.scale + 0.5))
    }

    public var count: Int { Int(histogram.totalCount) }
    public var mean: Double { count > 0 ? histogram.mean / Self.scale : 0 }

    /// The value that so many percent do not pass.
    public func percentile(_ percent: Double) -> Double { Double(histogram.valueAtPercentile(percent)) / Self.scale }

    /// Values in each of `bins` equal parts of 0…`limit`, each part with its lower end and without its upper; those beyond count in the
    /// last. Each value counts once.
    public func counts(bins: Int, limit: Double) -> [Int] {
        var counts = [Int](repeating: 0, count: bins)
        for step in histogram.recordedValues() {
            // What is kept of a value is a range. Values are mostly round, as edges are: where one lies in the range, it was the value.
            let units = Double(histogram.highestEquivalentForValue(step.value))
            // One division, so that a value on an edge is not rounded below it.
            counts[min(bins - 1, Int(units * Double(bins) / (limit * Self.scale)))] += Int(step.count)
        }
        return counts
    }
}
