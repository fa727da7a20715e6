/// The model `handTuned`. It adds up five signals of 0…1, weighted by hand. Each signal only rises or only falls with its inputs. The
/// weights and their sum are in log-odds.
///
/// A long drought alone is enough for a moderate intervention, and a long drought with slowing down for a high one. Slowing down alone is
/// enough only for a visitor who has nearly stopped. The other three signals only tip the scales.
enum HandTunedChurn {
    /// The log-odds that the visitor is about to leave, for a visitor without any of the signals: P(churn) = 0.05.
    private static let rest = -3.0
    private static let weights = (drought: 3.21, slowing: 3.3, slowness: 0.8, shallowness: 0.5, fatigue: 0.25)

    static func logOdds(_ inputs: ChurnInputs) -> Double {
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

    /// Returns the number of views without an unlock that count as a long drought: 30 on the authors' course of 500 views, fewer on a
    /// shorter course, where unlocks come more often. It is at least 12, because fewer cards are no drought.
    static func longDrought(on course: Course) -> Int { max(12, course.cards(30)) }

    private static func held(_ value: Double) -> Double { min(1, max(0, value)) }
}
