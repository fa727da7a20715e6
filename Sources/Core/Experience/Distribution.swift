/// Counts how often a quantity took which values. Three digits of each value are kept: values that differ in no more than these count
/// together, in the classes of an HDR histogram (G. Tene), whose bounds are whole thousandths.
public struct Distribution: Sendable {
    /// What is kept of a value: a thousandth of its unit.
    private static let scale = 1000.0
    /// Below two to the power of so many, each thousandth is a class of its own. Above, a class is twice as wide for each power.
    private static let exactBits = 11

    /// By the least value of each class.
    private var counts: [UInt64: Int] = [:]
    public private(set) var count = 0
    private var least = UInt64.max
    private var most: UInt64 = 0

    public init() {}

    /// Values below 0 count as 0, those above a million as a million.
    public mutating func record(_ value: Double) {
        let value = UInt64(min(1_000_000, max(0, value)) * Self.scale + 0.5)
        counts[value & ~(Self.width(at: value) - 1), default: 0] += 1
        count += 1
        (least, most) = (min(least, value), max(most, value))
    }

    /// Of the class of `value`: a power of two.
    private static func width(at value: UInt64) -> UInt64 { 1 << max(0, UInt64.bitWidth - value.leadingZeroBitCount - exactBits) }

    private static func highest(from lowest: UInt64) -> UInt64 { lowest + width(at: lowest) - 1 }

    /// In the order of values.
    private var classes: [(lowest: UInt64, count: Int)] { counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    public var mean: Double {
        guard count > 0 else { return 0 }
        let sum = classes.reduce(0.0) { $0 + Double($1.lowest + Self.width(at: $1.lowest) / 2) * Double($1.count) }
        return sum / Double(count) / Self.scale
    }

    /// The value that so many percent do not pass; 0 where nothing was recorded.
    public func percentile(_ percent: Double) -> Double {
        guard count > 0 else { return 0 }
        guard percent > 0 else { return Double(least) / Self.scale }
        guard percent < 100 else { return Double(most) / Self.scale }
        // Rounded up, so that the value that reaches it counts; one step less, so that a rounding error makes it no value more.
        let wanted = max(1, Int((percent.nextDown * Double(count) / 100).rounded(.up)))
        var sum = 0
        for (lowest, own) in classes {
            sum += own
            if sum >= wanted { return Double(max(least, min(most, Self.highest(from: lowest)))) / Self.scale }
        }
        return Double(most) / Self.scale
    }

    /// Values in each of `bins` equal parts of 0…`limit`, each part with its lower end and without its upper; those beyond count in the
    /// last. Each value counts once.
    public func counts(bins: Int, limit: Double) -> [Int] {
        var parts = [Int](repeating: 0, count: bins)
        for (lowest, own) in classes {
            // What is kept of a value is a range. Values are mostly round, as edges are: where one lies in the range, it was the value.
            let units = Double(Self.highest(from: lowest))
            // One division, so that a value on an edge is not rounded below it.
            parts[min(bins - 1, Int(units * Double(bins) / (limit * Self.scale)))] += own
        }
        return parts
    }
}
