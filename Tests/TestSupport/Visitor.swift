import Foundation

/// A visitor who does everything there is to do, at random times; the same for the same seed.
public struct Visitor {
    private var state: UInt64
    private var isDown = false
    private var blocks = 0

    public init(seed: UInt64) { state = seed }

    /// SplitMix64 (Steele, Lea & Flood 2014).
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// From 0 to `limit`, exclusive.
    public mutating func random(_ limit: Int) -> Int { Int(next() % UInt64(limit)) }

    /// What comes next: a method and its parameters.
    public mutating func act() -> (method: String, parameters: String) {
        switch random(10) {
        case 0...4:
            isDown.toggle()
            return ("touch", #"{"phase":"\#(isDown ? "began" : "ended")"}"#)
        case 5, 6:
            blocks += random(12)
            return ("feed.update", #"{"blocksViewed":\#(blocks)}"#)
        case 7: return ("tone", #"{"frequency":\#(240 + random(4_000)),"level":\#(-30 + random(24)),"glide":\#(random(2) * random(200))e-3}"#)
        case 8: return ("chime", #"{"name":"\#(random(2) == 0 ? "unlock" : "ding")"}"#)
        default: return ("feed.swipe", "{}")
        }
    }
}
