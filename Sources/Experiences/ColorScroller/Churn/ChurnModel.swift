import Classifier
import Experience
import Signals
import Units

/// A model that computes how likely it is that the visitor is about to leave.
enum ChurnModel: Equatable, Sendable {
    /// The piece's own models. The first is the standard.
    enum Own: String, CaseIterable, Sendable { case handTuned, calibrated }

    case own(Own)
    case learned(Classifier)

    /// Declares the models and their inputs.
    static let declaration = PredictionDeclaration(models: Own.allCases.map(\.rawValue), inputs: ChurnInputs.names,
                                                   practice: ColorScroller.practice)

    /// Creates the model that the run was opened with; nil stands for the piece's standard model. `model` must be one of the piece's own
    /// models, or a classifier with the piece's inputs.
    init(_ model: PredictionModel?) {
        switch model {
        case .own(let name)?:
            guard let own = Own(rawValue: name) else { preconditionFailure("ColorScroller has no model \(name)") }
            self = .own(own)
        case .learned(let classifier)?:
            precondition(classifier.inputs == ChurnInputs.names, "a classifier takes the inputs that the piece declares")
            self = .learned(classifier)
        case nil: self = .own(.handTuned)
        }
    }

    var name: String {
        switch self {
        case .own(let own): own.rawValue
        case .learned(let classifier): classifier.name
        }
    }

    /// Returns the log-odds that the visitor is about to leave. The same inputs give the same bits on every machine. The result is finite,
    /// because a file whose sums could be infinite or NaN is refused.
    func logOdds(_ inputs: ChurnInputs) -> Double {
        switch self {
        case .own(.handTuned): return HandTunedChurn.logOdds(inputs)
        case .own(.calibrated): return CalibratedChurn.logOdds(inputs)
        case .learned(let classifier):
            let values = inputs.values
            return classifier.logOdds(values.span)
        }
    }
}

/// Converts log-odds to probabilities and back. It uses only basic arithmetic on doubles, so the results have the same bits on every
/// machine.
enum LogOdds {
    private static let ln2 = 0.6931471805599453

    /// Returns the probability for log-odds: 1 / (1 + e^−logOdds), 0…1.
    static func probability(of logOdds: Double) -> Double { 1 / (1 + exp2(-logOdds / ln2)) }

    /// Returns the log-odds of a probability p: ln(p / (1 − p)). `probability` is greater than 0 and less than 1.
    static func logit(of probability: Double) -> Double { ln2 * log2(probability / (1 - probability)) }
}

extension ColorScroller {
    /// Declares how the piece uses P(churn): it gives visitors who seem to be about to leave a reason to stay.
    static let practice = PredictionPractice(
        words: [
            "handTuned": "Five signals with weights set by hand, the drought of rewards first. The standard.",
            "calibrated": "Five signals with weights fitted to simulated visitors, in which hardly anything but slowing down counts.",
        ],
        visitor: MotivatedVisitor.declaration.name, exploration: explore.name, holdout: holdout.name, first: Interventions.first,
        grades: [
            PredictionPractice.Grade(from: Interventions.Thresholds.logOdds.moderate, rest: Interventions.cooldown(after: .moderate)),
            PredictionPractice.Grade(from: Interventions.Thresholds.logOdds.high, rest: Interventions.cooldown(after: .high)),
        ],
        reach: churnReach, isStep: { ($0.body as? Intervention)?.explored == false },
        isHeldOut: { ($0.body as? Scroll)?.decision.isHeldOut == true })
}

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
