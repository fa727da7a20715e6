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
