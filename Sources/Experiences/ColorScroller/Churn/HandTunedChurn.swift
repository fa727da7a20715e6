/// The model `handTuned`: five signals of 0…1, each monotonic in what it is made of, weighted by hand. The weights are in log-odds, so that
/// their sum is the margin.
///
/// A long drought alone is enough for a moderate intervention, and drought with slowing for a high one. Slowing alone needs a visitor who
/// has all but stopped. The other three only tip the scales.
enum HandTunedChurn {
    /// The margin of a visitor without any of the signals: P(churn) is 0.05.
    private static let rest = -3.0
    private static let weights = (drought: 3.21, slowing: 3.3, slowness: 0.8, shallowness: 0.5, fatigue: 0.25)

    static func margin(_ inputs: ChurnInputs) -> Double {
        let velocity = max(0, inputs.velocity)
        let seconds = max(0, inputs.sessionLength)
        let drought = held(Double(inputs.rewardDrought) / Double(inputs.longDrought))
        // What is lost from scroll to scroll, beside what is left. The paces of somebody who looks at cards differ by 0.12; at 0.42 a
        // visitor comes to a stop within a few cards.
        let slowing = held((max(0, -inputs.velocityTrend) / (velocity + 0.2) - 0.12) / 0.3)
        // Half at half a screen height per second: who looks at each card is faster.
        let slowness = 0.5 / (0.5 + velocity)
        let shallowness = held(1 - inputs.engagementDepth)
        // Half after five minutes.
        let fatigue = seconds / (300 + seconds)
        return rest + weights.drought * drought + weights.slowing * slowing + weights.slowness * slowness
            + weights.shallowness * shallowness + weights.fatigue * fatigue
    }

    /// Returns the views without an unlock that are a long drought: 30 of the authors' 500. On a shorter course unlocks come more often,
    /// and whoever has seen twelve cards has seen nothing of a drought yet.
    static func longDrought(on course: Course) -> Int { max(12, course.cards(30)) }

    private static func held(_ value: Double) -> Double { min(1, max(0, value)) }
}
