/// What the visitor has done until a palette is made, in nine measures. The palette's seed is computed from them.
public struct Behaviour: Codable, Equatable, Sendable {
    public var blocksViewed: Int
    public var uniqueBlocksSeen: Int
    public var activeScrollMilliseconds: Int
    public var isScrolling: Bool
    public var index: Int
    /// The quarter of the local day, 0…3, counted from midnight.
    public var timeOfDayBucket: Int
    public var sessionMilliseconds: Int
    /// The probabilities that the shown card is grey, a common, a rare or a special, in millionths.
    public var rarityWeights: [Int]
    /// The id of the rare whose unlocking made the palette, or `Palette.gift`.
    public var rare: String

    /// The hash FNV-1a with 64 bits (G. Fowler, L. C. Noll, K.-P. Vo) over the fields in the order above. A number counts as 8 bytes, the
    /// lowest first, a flag as the number 1 or 0, and the id as its UTF-8 bytes.
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
    /// Returns the visitor's behaviour at `time`, in seconds since the session's start. `rare` is the id of the rare that was just
    /// unlocked, or `Palette.gift`.
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

/// The mood of a palette's colours, which depends on the moment at which the palette is made: warm colours in the evening, muted ones where
/// the visitor scrolls slowly.
///
/// The mood stands in the lowest five bits of a palette's seed, so that the colours depend on the seed alone: two bits for the time of day,
/// two for the pace, and one that says whether there is a mood at all.
struct Mood: Equatable, Sendable {
    /// The quarter of the local day, 0…3, counted from midnight.
    var timeOfDayBucket: Int
    /// The pace of scrolling, 0…3, from slow to fast.
    var pace: Int

    private static let mask: UInt64 = 0b11111
    private static let flag: UInt64 = 0b10000
    /// The speeds of scrolling, in cards in ten seconds, from which the pace counts as 1, 2 and 3.
    private static let paces = [7, 14, 28]
    /// The hues, in degrees, at which the colours of the night, the morning, the afternoon and the evening begin. Each takes up a quarter
    /// of the circle.
    private static let arcs = [230.0, 70, 150, 325]

    init(_ behaviour: Behaviour) {
        timeOfDayBucket = behaviour.timeOfDayBucket
        pace = Self.paces.count { behaviour.blocksViewed * 10_000 >= $0 * behaviour.activeScrollMilliseconds }
    }

    /// Reads the mood from the lowest five bits of a palette's seed; nil where the flag among them says that there is no mood.
    init?(seed: UInt64) {
        guard seed & Self.flag != 0 else { return nil }
        timeOfDayBucket = Int(seed & 0b11)
        pace = Int(seed >> 2 & 0b11)
    }

    /// Returns a palette's seed: `hash`, with its lowest five bits replaced by this mood.
    func folded(into hash: UInt64) -> UInt64 { hash & ~Self.mask | Self.flag | UInt64(pace) << 2 | UInt64(timeOfDayBucket) }

    /// Returns a palette's seed without a mood: `hash`, with its lowest five bits set to 0.
    static func unfolded(_ hash: UInt64) -> UInt64 { hash & ~mask }

    /// Returns the hue, in degrees from 0 to less than 360, for a random number `draw`, 0…1. Without a mood, any hue is possible; with one,
    /// only hues in the quarter of the circle that belongs to the mood's time of day.
    static func hue(_ draw: Double, _ mood: Mood?) -> Double {
        guard let mood else { return 360 * draw }
        let hue = arcs[mood.timeOfDayBucket] + 90 * draw
        return hue >= 360 ? hue - 360 : hue
    }

    /// Returns the saturation for a random number `draw`, 0…1. Without a mood, it is in 0.50…0.90; with one, in the quarter of that range
    /// that belongs to the mood's pace.
    static func saturation(_ draw: Double, _ mood: Mood?) -> Double {
        guard let mood else { return 0.50 + 0.40 * draw }
        return 0.50 + 0.10 * (Double(mood.pace) + draw)
    }
}
