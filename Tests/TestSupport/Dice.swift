/// The same numbers each time.
public struct Dice {
    private var state: UInt64

    public init(_ seed: UInt64) { state = seed }

    public mutating func roll(_ bound: Int) -> Int {
        state = state &* 6364136223846793005 &+ 1442695040888963407
        return Int((state >> 33) % UInt64(bound))
    }

    public mutating func pick<Element>(_ elements: [Element]) -> Element { elements[roll(elements.count)] }
}
