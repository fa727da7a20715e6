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

    /// Values in each of `bins` equal parts of 0…`limit`; those beyond count in the last.
    public func counts(bins: Int, limit: Double) -> [Int] {
        let width = limit / Double(bins)
        return (0..<bins).map { bin in
            let first = UInt64(width * Double(bin) * Self.scale)
            let last = bin == bins - 1 ? UInt64(1_000_000_000) : UInt64(width * Double(bin + 1) * Self.scale) - 1
            return Int(histogram.count(within: first...last))
        }
    }
}
