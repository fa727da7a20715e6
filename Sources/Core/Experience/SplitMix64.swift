/// The SplitMix64 sequence of a seed (Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014).
public struct SplitMix64: Sendable {
    private let seed: UInt64
    private var index = 0

    public init(seed: UInt64) { self.seed = seed }

    public mutating func next() -> UInt64 {
        index += 1
        return splitMix(seed, index)
    }

    /// Returns the next draw as a number from 0 up to, and without, 1.
    public mutating func unit() -> Double { unitInterval(next()) }

    /// Returns the next draw as a number from 0 up to, and without, `count`.
    public mutating func below(_ count: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(count)).high) }

    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

/// Returns the `index`th number of the SplitMix64 sequence of `seed`, counted from 1, without computing those before.
public func splitMix(_ seed: UInt64, _ index: Int) -> UInt64 {
    var z = seed &+ 0x9E37_79B9_7F4A_7C15 &* UInt64(truncatingIfNeeded: index)
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
}

/// Returns the upper 53 bits as a number from 0 up to, and without, 1.
public func unitInterval(_ bits: UInt64) -> Double { Double(bits >> 11) * 0x1p-53 }
