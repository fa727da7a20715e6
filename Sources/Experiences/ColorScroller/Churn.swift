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

/// Five signals of 0…1, each monotonic in what it is made of, weighed and looked up in a table: of simulated visitors with so high a sum
/// that part left within 5 cards. Weights and table are in `ChurnCalibration`.
public struct CalibratedChurn: ChurnPredictor {
    public init() {}

    public func probability(_ snapshot: ChurnSnapshot) -> Double {
        var score = 0.0
        for (weight, signal) in zip(ChurnCalibration.weights, Self.signals(snapshot)) { score += weight * signal }
        return ChurnCalibration.probability(of: score)
    }

    /// Slowness, slowing down, drought, fatigue and shallowness. `scripts/calibrate-churn` has the same formulas.
    static func signals(_ snapshot: ChurnSnapshot) -> [Double] {
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
