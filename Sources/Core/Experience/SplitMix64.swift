/// The sequence of pseudo-random numbers that SplitMix64 makes from a seed (Steele, Lea & Flood, "Fast splittable pseudorandom number
/// generators", 2014).
public struct SplitMix64: Sendable {
    private let seed: UInt64
    private var index = 0

    public init(seed: UInt64) { self.seed = seed }

    public mutating func next() -> UInt64 {
        index += 1
        return splitMix(seed, index)
    }

    /// Draws a number from 0 up to, but not including, 1.
    public mutating func unit() -> Double { unitInterval(next()) }

    /// Draws an integer from 0 up to, but not including, `count`.
    public mutating func below(_ count: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(count)).high) }

    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// Returns the `index`th number (counted from 1) of the SplitMix64 sequence of `seed`, without computing the numbers before it.
public func splitMix(_ seed: UInt64, _ index: Int) -> UInt64 {
    var z = seed &+ 0x9E37_79B9_7F4A_7C15 &* UInt64(truncatingIfNeeded: index)
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
}

/// Returns the upper 53 bits as a fraction: a number from 0 up to, but not including, 1.
public func unitInterval(_ bits: UInt64) -> Double { Double(bits >> 11) * 0x1p-53 }
