import Signals

/// What a visitor was doing when a rare of the catalogue was unlocked, in nine measures: of them a palette's seed is made.
public struct Behaviour: Codable, Equatable, Sendable {
    public var blocksViewed: Int
    public var uniqueBlocksSeen: Int
    public var activeScrollMilliseconds: Int
    public var isScrolling: Bool
    public var index: Int
    /// 0…3, six hours each.
    public var timeOfDayBucket: Int
    public var sessionMilliseconds: Int
    /// Of cards without colour, commons, rares and specials, in millionths.
    public var rarityWeights: [Int]
    /// The rare's id, or `Palette.gift`.
    public var rare: String

    public init(blocksViewed: Int, uniqueBlocksSeen: Int, activeScrollMilliseconds: Int, isScrolling: Bool, index: Int,
                timeOfDayBucket: Int, sessionMilliseconds: Int, rarityWeights: [Int], rare: String) {
        self.blocksViewed = blocksViewed
        self.uniqueBlocksSeen = uniqueBlocksSeen
        self.activeScrollMilliseconds = activeScrollMilliseconds
        self.isScrolling = isScrolling
        self.index = index
        self.timeOfDayBucket = timeOfDayBucket
        self.sessionMilliseconds = sessionMilliseconds
        self.rarityWeights = rarityWeights
        self.rare = rare
    }

    /// FNV-1a with 64 bits (G. Fowler, L. C. Noll, K.-P. Vo) over the fields in the order above: each number as 8 bytes, the
    /// lowest first, a flag as 1 or 0, the id as its UTF-8 bytes.
    var hash: UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        let numbers = [blocksViewed, uniqueBlocksSeen, activeScrollMilliseconds, isScrolling ? 1 : 0, index, timeOfDayBucket,
                       sessionMilliseconds] + rarityWeights
        for number in numbers {
            for shift in stride(from: 0, to: 64, by: 8) { add(UInt8(truncatingIfNeeded: number >> shift)) }
        }
        for byte in rare.utf8 { add(byte) }
        return hash
    }
}

extension ColorScroller {
    /// What the visitor is doing now.
    func behaviour(at time: Double, rare: String) -> Behaviour {
        let weights = CardWeights(at: state.feed.index, after: state.collection, state.tuning)
        return Behaviour(
            blocksViewed: state.blocksViewed, uniqueBlocksSeen: state.seen.count,
            activeScrollMilliseconds: Int(state.pace.activeSeconds * 1000), isScrolling: state.pace.isScrolling,
            index: state.feed.index, timeOfDayBucket: state.timeOfDay.bucket(at: time),
            sessionMilliseconds: Int((time - state.began) * 1000),
            rarityWeights: weights.all.map { Int($0 * 1_000_000 + 0.5) }, rare: rare)
    }
}
