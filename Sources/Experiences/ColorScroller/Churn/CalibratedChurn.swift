/// The model `calibrated`. It adds up five weighted signals of 0…1, each of which only rises or only falls with its inputs. A table gives
/// for each sum the fraction of simulated visitors who left within 5 cards. `ChurnCalibration` has the weights and the table.
enum CalibratedChurn {
    /// Returns the log-odds that the visitor is about to leave.
    static func logOdds(_ inputs: ChurnInputs) -> Double { logOdds(of: probability(inputs)) }

    /// Returns the probability, 0…1, that the visitor is about to leave. `scripts/calibrate-churn` has the same formulas.
    static func probability(_ inputs: ChurnInputs) -> Double {
        let velocity = max(0, inputs.velocity)
        let weights = ChurnCalibration.weights
        // Half at half a screen height per second: who looks at each card is faster.
        var score = weights.slowness * (0.5 / (0.5 + velocity))
        // What is lost from scroll to scroll, beside what is left.
        score += weights.slowing * held(max(0, -inputs.velocityTrend) / (velocity + 0.2))
        // Full after 25 cards: twice the 12 or so that a new skin takes in the late stretch.
        score += weights.drought * held(Double(inputs.rewardDrought) / 25)
        // Half after five minutes.
        score += weights.fatigue * (max(0, inputs.sessionLength) / (300 + max(0, inputs.sessionLength)))
        score += weights.shallowness * held(1 - inputs.engagementDepth)
        return ChurnCalibration.probability(of: score)
    }

    /// Returns the log-odds of a probability, which is limited to 0.0001…0.9999. Where rounding would move the result across a
    /// threshold of the interventions, it is corrected, so that both lead to the same decisions.
    static func logOdds(of probability: Double) -> Double {
        var logOdds = LogOdds.logit(of: min(0.9999, max(0.0001, probability)))
        let (thresholds, probabilities) = (Interventions.Thresholds.logOdds, Interventions.Thresholds.probabilities)
        logOdds = probability >= probabilities.moderate ? max(logOdds, thresholds.moderate) : min(logOdds, thresholds.moderate.nextDown)
        return probability >= probabilities.high ? max(logOdds, thresholds.high) : min(logOdds, thresholds.high.nextDown)
    }

    private static func held(_ value: Double) -> Double { min(1, max(0, value)) }
}
