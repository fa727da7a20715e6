import Signals

/// What tells whether a visitor is about to leave.
public struct ChurnSnapshot: Equatable, Sendable {
    /// Screen heights per second.
    public var velocity: Double
    /// The growth of the velocity from scroll to scroll.
    public var velocityTrend: Double
    /// Views since the last unlock.
    public var rewardDrought: Int
    /// Seconds since the session's start.
    public var sessionFatigue: Double
    /// The part of the session that was spent scrolling, 0…1.
    public var engagementDepth: Double
}

/// Says how likely it is that a visitor is about to leave. Deterministic, and without state of its own.
public protocol ChurnPredictor: Sendable {
    /// Returns 0…1.
    func probability(_ snapshot: ChurnSnapshot) -> Double
}

/// Weighs five signals of 0…1, each monotonic in what it is made of, and looks their sum up in a table of the part of simulated visitors
/// that left within 5 cards. `ChurnCalibration` has the weights and the table.
public struct CalibratedChurn: ChurnPredictor {
    public func probability(_ snapshot: ChurnSnapshot) -> Double {
        var score = 0.0
        for (weight, signal) in zip(ChurnCalibration.weights, Self.signals(snapshot)) { score += weight * signal }
        return ChurnCalibration.probability(of: score)
    }

    /// Returns slowness, slowing down, drought, fatigue and shallowness. `scripts/calibrate-churn` has the same formulas.
    private static func signals(_ snapshot: ChurnSnapshot) -> [Double] {
        let velocity = max(0, snapshot.velocity)
        return [
            // Half at half a screen height per second: who looks at each card is faster.
            0.5 / (0.5 + velocity),
            // What is lost from scroll to scroll, beside what is left.
            held(max(0, -snapshot.velocityTrend) / (velocity + 0.2)),
            // Full after 25 cards: twice the 12 or so that a new skin takes in the late stretch.
            held(Double(snapshot.rewardDrought) / 25),
            // Half after five minutes.
            max(0, snapshot.sessionFatigue) / (300 + max(0, snapshot.sessionFatigue)),
            held(1 - snapshot.engagementDepth),
        ]
    }

    private static func held(_ value: Double) -> Double { min(1, max(0, value)) }
}

extension ColorScroller {
    /// What is known of the visitor now that a card is shown that carries the skin with the number `shown`. P(churn) follows from it.
    mutating func record(of shown: Int?, at time: Double) -> ScrollRecord {
        let snapshot = ChurnSnapshot(
            velocity: state.pace.velocity, velocityTrend: state.pace.trend, rewardDrought: rewardDrought,
            sessionFatigue: time - state.began,
            engagementDepth: time > state.began ? state.pace.activeSeconds / (time - state.began) : 1)
        let pChurn = Self.predictor.probability(snapshot)
        state.pChurn = pChurn
        return ScrollRecord(
            timestamp: state.timeOfDay.start + time, cardIndex: state.feed.index, blocksViewed: state.blocksViewed,
            uniqueBlocksSeen: state.seen.count, unlockCount: state.collection.unlocked.count, rewardDrought: rewardDrought,
            velocity: snapshot.velocity, velocityTrend: snapshot.velocityTrend, sessionLength: time,
            activeScrollSeconds: state.pace.activeSeconds, timeOfDayBucket: state.timeOfDay.bucket(at: time),
            rarityShown: shown.map { state.collection.rarity(of: $0) }, pChurn: pChurn)
    }
}

/// How a visitor scrolls: how fast, whether faster or slower lately, and for how long in all.
struct Pace: Codable, Equatable, Sendable {
    /// Seconds without a scroll after which somebody is not scrolling any more.
    private static let attention = 2.0
    /// The number of scrolls that the trend looks back on.
    private static let memory = 8
    /// The highest velocity that the time between scrolls gives: nobody can follow more screen heights per second.
    private static let fastest = 50.0

    /// The velocities of the last scrolls, the newest last.
    private var velocities: [Double] = []
    /// The moment of the last scroll, in seconds since the session's start.
    private var last: Double
    private(set) var activeSeconds = 0.0
    private(set) var isScrolling = false

    init(from time: Double = 0) { last = time }

    /// `velocity` is what was reported, in screen heights per second. Without a report the velocity follows from the time since the
    /// scroll before: a card is a screen high.
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

    /// Screen heights per second.
    var velocity: Double { velocities.last ?? 0 }

    /// The growth of the velocity from one scroll to the next: the slope of the least-squares line through the last ones.
    var trend: Double {
        let count = Double(velocities.count)
        guard count >= 2 else { return 0 }
        let middle = (count - 1) / 2
        let mean = velocities.reduce(0, +) / count
        var covariance = 0.0
        for (place, velocity) in velocities.enumerated() { covariance += (Double(place) - middle) * (velocity - mean) }
        // Σ(x − x̄)² of 0…n−1.
        return covariance / (count * (count * count - 1) / 12)
    }
}
