import Foundation

/// A visitor who does everything there is to do, at random times; the same for the same seed.
public struct Visitor {
    private var generator: SplitMix64
    private var isDown = false
    private var blocks = 0

    public init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    /// From 0 to `limit`, exclusive.
    public mutating func random(_ limit: Int) -> Int { Int(generator.next() % UInt64(limit)) }

    /// What comes next: a method and its parameters.
    public mutating func act() -> (method: String, parameters: String) {
        switch random(13) {
        case 0...4:
            isDown.toggle()
            return ("touch", #"{"phase":"\#(isDown ? "began" : "ended")"}"#)
        case 5, 6:
            blocks += random(12)
            return ("feed.update", #"{"blocksViewed":\#(blocks)}"#)
        case 7: return ("tone", #"{"frequency":\#(240 + random(4_000)),"level":\#(-30 + random(24)),"glide":\#(random(2) * random(200))e-3}"#)
        case 8: return ("chime.play", #"{"name":"\#(random(2) == 0 ? "unlock" : "ding")"}"#)
        case 9: return ("output.mute", #"{"on":\#(random(3) == 0)}"#)
        case 10: return ("output.ceiling", #"{"level":\#(-18 - random(20))}"#)
        case 11: return ("preset.set", #"{"name":"\#(["normal", "quiet-day", "sensory-friendly"][random(3)])"}"#)
        default: return ("swipe", "{}")
        }
    }
}
