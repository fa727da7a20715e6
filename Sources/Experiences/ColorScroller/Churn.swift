/// What there is to tell by whether a visitor is about to leave.
public struct ChurnSnapshot: Equatable, Sendable {
    /// Screen heights per second.
    public var velocity: Double
    /// By how much it grows from scroll to scroll.
    public var velocityTrend: Double
    /// Views since the last unlock.
    public var rewardDrought: Int
    /// Seconds since the session's start.
    public var sessionFatigue: Double
    /// The part of the session that was spent scrolling, 0…1.
    public var engagementDepth: Double

    public init(velocity: Double, velocityTrend: Double, rewardDrought: Int, sessionFatigue: Double, engagementDepth: Double) {
        self.velocity = velocity
        self.velocityTrend = velocityTrend
        self.rewardDrought = rewardDrought
        self.sessionFatigue = sessionFatigue
        self.engagementDepth = engagementDepth
    }
}

/// Says how likely it is that a visitor is about to leave. Deterministic, and without state of its own.
public protocol ChurnPredictor: Sendable {
    /// 0…1.
    func probability(_ snapshot: ChurnSnapshot) -> Double
}

/// A weighted sum of five signals of 0…1, each monotonic in what it is made of, tuned by hand. The drought weighs most: without a
/// reward everybody leaves at last.
public struct HeuristicChurn: ChurnPredictor {
    public init() {}

    public func probability(_ snapshot: ChurnSnapshot) -> Double {
        // Half at 1.5 screen heights per second, the pace of somebody who looks at each card.
        let slowness = 1.5 / (1.5 + max(0, snapshot.velocity))
        // From half a screen height per second more to as much less, from scroll to scroll.
        let slowing = held(0.5 - snapshot.velocityTrend)
        // Full after 25 cards: twice the 12 or so that a new skin takes in the late stretch.
        let drought = held(Double(snapshot.rewardDrought) / 25)
        // Half after five minutes.
        let fatigue = max(0, snapshot.sessionFatigue) / (300 + max(0, snapshot.sessionFatigue))
        let shallowness = held(1 - snapshot.engagementDepth)
        return 0.20 * slowness + 0.20 * slowing + 0.30 * drought + 0.15 * fatigue + 0.15 * shallowness
    }

    private func held(_ value: Double) -> Double { min(1, max(0, value)) }
}
