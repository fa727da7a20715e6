/// What a palette's colours tell of the moment it was made in: warm in the evening, muted where somebody scrolls slowly.
///
/// It stands in the lowest five bits of a palette's seed, so that the colours follow from the seed alone: two bits of the time of day, two
/// of the pace, and one that says whether there is a mood at all.
struct Mood: Equatable, Sendable {
    /// 0…3, six hours each.
    var timeOfDayBucket: Int
    /// 0…3, from slow to fast.
    var pace: Int

    private static let mask: UInt64 = 0b11111
    private static let flag: UInt64 = 0b10000
    /// Cards in ten seconds of scrolling, from which on the pace is 1, 2 and 3.
    private static let paces = [7, 14, 28]
    /// Where the hue's arc of a quarter circle begins, in degrees: night, morning, afternoon, evening.
    private static let arcs = [230.0, 70, 150, 325]

    init(_ behaviour: Behaviour) {
        timeOfDayBucket = behaviour.timeOfDayBucket
        pace = Self.paces.count { behaviour.blocksViewed * 10_000 >= $0 * behaviour.activeScrollMilliseconds }
    }

    /// Nil for a seed without one.
    init?(seed: UInt64) {
        guard seed & Self.flag != 0 else { return nil }
        timeOfDayBucket = Int(seed & 0b11)
        pace = Int(seed >> 2 & 0b11)
    }

    func folded(into hash: UInt64) -> UInt64 { hash & ~Self.mask | Self.flag | UInt64(pace) << 2 | UInt64(timeOfDayBucket) }

    static func unfolded(_ hash: UInt64) -> UInt64 { hash & ~mask }

    /// Degrees, 0 up to, and without, 360. `draw` is 0…1: the whole circle, folded into the arc of the time of day.
    static func hue(_ draw: Double, _ mood: Mood?) -> Double {
        guard let mood else { return 360 * draw }
        let hue = arcs[mood.timeOfDayBucket] + 90 * draw
        return hue >= 360 ? hue - 360 : hue
    }

    /// 0.50…0.90. `draw` is 0…1: the whole range, folded into the quarter of the pace.
    static func saturation(_ draw: Double, _ mood: Mood?) -> Double {
        guard let mood else { return 0.50 + 0.40 * draw }
        return 0.50 + 0.10 * (Double(mood.pace) + draw)
    }
}
