/// Counts how often a quantity took each value. About three digits of a value are kept: values are counted in the classes of an HDR
/// histogram (G. Tene), whose bounds are whole thousandths.
public struct Distribution: Sendable {
    /// The factor by which values are multiplied before they are counted: they are counted in thousandths.
    private static let scale = 1000.0
    /// Each value (in thousandths) of at most this many binary digits has a class of its own. With each further digit, classes are twice as
    /// wide.
    private static let exactBits = 11

    /// The number of values in each class, by the lowest value of the class.
    private var counts: [UInt64: Int] = [:]
    public private(set) var count = 0
    private var least = UInt64.max
    private var most: UInt64 = 0

    public init() {}

    /// Counts a value. A value below 0 counts as 0, and one above a million as a million.
    public mutating func record(_ value: Double) {
        let value = UInt64(min(1_000_000, max(0, value)) * Self.scale + 0.5)
        counts[value & ~(Self.width(at: value) - 1), default: 0] += 1
        count += 1
        (least, most) = (min(least, value), max(most, value))
    }

    /// Returns the width of the class that contains `value`, a power of two.
    private static func width(at value: UInt64) -> UInt64 { 1 << max(0, UInt64.bitWidth - value.leadingZeroBitCount - exactBits) }

    private static func highest(from lowest: UInt64) -> UInt64 { lowest + width(at: lowest) - 1 }

    /// The classes in ascending order of their values.
    private var classes: [(lowest: UInt64, count: Int)] { counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    public var mean: Double {
        guard count > 0 else { return 0 }
        let sum = classes.reduce(0.0) { $0 + Double($1.lowest + Self.width(at: $1.lowest) / 2) * Double($1.count) }
        return sum / Double(count) / Self.scale
    }

    /// Returns a percentile: the value that `percent` percent of all values do not exceed; 0 where nothing was recorded.
    public func percentile(_ percent: Double) -> Double {
        guard count > 0 else { return 0 }
        guard percent > 0 else { return Double(least) / Self.scale }
        guard percent < 100 else { return Double(most) / Self.scale }
        // Rounded up, because a percentile is reached only by a whole value. `nextDown` prevents a rounding error from asking for one value
        // more.
        let wanted = max(1, Int((percent.nextDown * Double(count) / 100).rounded(.up)))
        var sum = 0
        for (lowest, own) in classes {
            sum += own
            if sum >= wanted { return Double(max(least, min(most, Self.highest(from: lowest)))) / Self.scale }
        }
        return Double(most) / Self.scale
    }

    /// Returns the number of values in each of `bins` equal parts of 0…`limit`. A part contains its lower bound but not its upper one; the
    /// last part contains all higher values too. Each value counts once.
    public func counts(bins: Int, limit: Double) -> [Int] {
        var parts = [Int](repeating: 0, count: bins)
        for (lowest, own) in classes {
            // Of a value, only its class is known. Values and the bounds of parts are mostly round numbers, so the upper end of a class is
            // taken for the value.
            let units = Double(Self.highest(from: lowest))
            // One division only, so that a value on a bound is not rounded to below that bound.
            parts[min(bins - 1, Int(units * Double(bins) / (limit * Self.scale)))] += own
        }
        return parts
    }
}
