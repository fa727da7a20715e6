/// What a model gets to know about a visitor when a card is shown.
struct ChurnInputs: Equatable, Sendable {
    /// The velocity of the last scroll, in screen heights per second.
    var velocity: Double
    /// The change of the velocity from one scroll to the next, in screen heights per second.
    var velocityTrend: Double
    /// The number of views since the last unlock.
    var rewardDrought: Int
    /// The seconds since the visit began.
    var sessionLength: Double
    /// The seconds of the visit that were spent scrolling.
    var activeScrollSeconds: Double
    var blocksViewed: Int
    var uniqueBlocksSeen: Int
    var unlockCount: Int
    /// The quarter of the local day, 0…3, counted from midnight.
    var timeOfDayBucket: Int
    /// The rarity of the skin on the card that is shown; nil for a grey card and for the leaderboard, which carry no skin.
    var rarityShown: Rarity?
    /// The number of views without an unlock that count as a long drought on the visit's course.
    var longDrought: Int

    /// The fraction of the visit that was spent scrolling, 0…1; 1 before any time has passed.
    var engagementDepth: Double { sessionLength > 0 ? activeScrollSeconds / sessionLength : 1 }
}

extension ChurnInputs {
    /// The names of the inputs that a classifier from a file gets, in the order of `values`. They are the names of the telemetry's columns.
    /// Only `engagement_depth` is no column; it is computed from two of them.
    static let names = [
        "velocity", "velocity_trend", "reward_drought", "session_length", "active_scroll_seconds", "engagement_depth", "blocks_viewed",
        "unique_blocks_seen", "unlock_count", "time_of_day_bucket", "rarity_shown",
    ]

    /// The inputs as numbers for a classifier, in the order of `names`. The rarity is 0 where the card carries no skin, 1 for a common, 2
    /// for a rare and 3 for a special.
    var values: InlineArray<11, Float> {
        [
            Float(velocity), Float(velocityTrend), Float(Double(rewardDrought)), Float(sessionLength), Float(activeScrollSeconds),
            Float(engagementDepth), Float(Double(blocksViewed)), Float(Double(uniqueBlocksSeen)), Float(Double(unlockCount)),
            Float(Double(timeOfDayBucket)), Float(Self.code(of: rarityShown)),
        ]
    }

    private static func code(of rarity: Rarity?) -> Double {
        switch rarity {
        case nil: 0
        case .common: 1
        case .rare: 2
        case .special: 3
        }
    }
}

extension ColorScroller {
    /// Returns the inputs at the time at which a card is shown. `shown` is the number of the skin that the card carries; nil where it
    /// carries none.
    func churnInputs(of shown: Int?, at time: Double) -> ChurnInputs {
        ChurnInputs(
            velocity: state.pace.velocity, velocityTrend: state.pace.trend, rewardDrought: rewardDrought, sessionLength: time - state.began,
            activeScrollSeconds: state.pace.activeSeconds, blocksViewed: state.blocksViewed, uniqueBlocksSeen: state.seen.count,
            unlockCount: state.collection.unlocked.count, timeOfDayBucket: state.timeOfDay.bucket(at: time),
            rarityShown: shown.map { state.collection.rarity(of: $0) },
            longDrought: HandTunedChurn.longDrought(on: state.collection.course))
    }

    /// Returns the telemetry's record of a scroll, with the values of `inputs`.
    func record(_ inputs: ChurnInputs, at time: Double) -> ScrollRecord {
        ScrollRecord(
            timestamp: state.timeOfDay.start + time, cardIndex: state.feed.index, blocksViewed: inputs.blocksViewed,
            uniqueBlocksSeen: inputs.uniqueBlocksSeen, unlockCount: inputs.unlockCount, rewardDrought: inputs.rewardDrought,
            velocity: inputs.velocity, velocityTrend: inputs.velocityTrend, sessionLength: inputs.sessionLength,
            activeScrollSeconds: inputs.activeScrollSeconds, timeOfDayBucket: inputs.timeOfDayBucket, rarityShown: inputs.rarityShown,
            pChurn: state.pChurn ?? 0)
    }
}

/// The visitor's way of scrolling: the velocity, its trend, and the time spent scrolling.
struct Pace: Codable, Equatable, Sendable {
    /// The number of seconds without a scroll after which the visitor does not count as scrolling.
    private static let attention = 2.0
    /// The number of latest scrolls from which the trend is computed.
    private static let memory = 8
    /// The highest velocity that is derived from the time between scrolls, in screen heights per second. Nobody can follow a faster feed.
    private static let fastest = 50.0

    /// The velocities of the latest scrolls in screen heights per second, the newest last.
    private var velocities: [Double] = []
    /// The time of the last scroll, in seconds since the session's start.
    private var last: Double
    private(set) var activeSeconds = 0.0
    private(set) var isScrolling = false

    init(from time: Double = 0) { last = time }

    /// Counts a scroll. `velocity` is the reported one, in screen heights per second. If none was reported, the velocity is computed from
    /// the time since the scroll before, because a card is one screen high.
    mutating func scroll(at time: Double, velocity: Double?) {
        let gap = time - last
        isScrolling = gap <= Self.attention
        activeSeconds += min(gap, Self.attention)
        last = time
        // Two scrolls at once, as the first of a session with its arrival, say nothing of how fast.
        guard let velocity = velocity ?? (gap > 0 ? min(Self.fastest, 1 / gap) : nil) else { return }
        if velocities.count == Self.memory { velocities.removeFirst() }
        velocities.append(velocity)
    }

    /// The velocity of the last scroll, in screen heights per second.
    var velocity: Double { velocities.last ?? 0 }

    /// The change of the velocity from one scroll to the next: the slope of the least-squares line through the latest velocities.
    var trend: Double {
        let count = Double(velocities.count)
        guard count >= 2 else { return 0 }
        let middle = (count - 1) / 2
        let mean = velocities.reduce(0, +) / count
        var covariance = 0.0
        for (index, velocity) in velocities.enumerated() { covariance += (Double(index) - middle) * (velocity - mean) }
        // Σ(x − x̄)² of 0…n−1.
        return covariance / (count * (count * count - 1) / 12)
    }
}
