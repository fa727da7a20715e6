import Classifier
import Signals

/// Declares the models by which a piece predicts: its own models, and the inputs that it passes to a classifier from a file.
public struct PredictionDeclaration: Sendable {
    /// The names of the piece's own models, at least one. The first one is the standard.
    public let models: [String]
    /// The names of the inputs that a classifier from a file may use.
    public let inputs: [String]
    /// What the piece does with a prediction; nil where its models cannot be tried.
    public let practice: PredictionPractice?

    public init(models: [String], inputs: [String], practice: PredictionPractice? = nil) {
        precondition(!models.isEmpty, "a piece that predicts has a model of its own")
        self.models = models
        self.inputs = inputs
        self.practice = practice
    }

    /// The model of a run for which nobody has chosen one.
    public var standard: PredictionModel { .own(models[0]) }
}

/// A model by which a run predicts.
public enum PredictionModel: Equatable, Sendable {
    /// A model that the piece itself has, by its name.
    case own(String)
    /// A classifier that was read from a file.
    case learned(Classifier)

    /// The model's name for people and journals.
    public var name: String {
        switch self {
        case .own(let name): name
        case .learned(let classifier): classifier.name
        }
    }

    /// The SHA-256 of the model's file, as 64 lower-case hexadecimal digits; nil for a model that the piece itself has.
    public var digest: String? {
        switch self {
        case .own: nil
        case .learned(let classifier): classifier.digest
        }
    }
}

/// Declares how a piece uses its predictions. With this, its models can be tried on simulated visitors and judged on recorded ones.
///
/// Here, a *moment* is an event at which the piece predicts. To *step in* is to give the visitor a reason to stay.
public struct PredictionPractice: Sendable {
    /// One strength with which the piece steps in, that is, gives the visitor a reason to stay.
    public struct Grade: Sendable {
        /// The lowest log-odds of a prediction at which the model calls for this strength.
        public let threshold: Double
        /// The number of predictions after stepping in with this strength at which the piece leaves the visitor alone.
        public let rest: Int

        public init(from threshold: Double, rest: Int) {
            self.threshold = threshold
            self.rest = rest
        }
    }

    /// Descriptions of the piece's own models, one sentence each, by the models' names.
    public let words: [String: String]
    /// The name of the kind of simulated visitors for trials. These visitors have reasons to stay and to leave.
    public let visitor: String
    /// The name of the knob that sets the exploration rate: the probability, at each prediction, that chance decides instead of the model.
    public let exploration: String
    /// The name of the knob that sets the fraction of visits, 0…1, in which the piece never steps in (gives a reason to stay).
    public let holdout: String
    /// The first prediction of a visit, counted from 1, at which the piece may step in (give a reason to stay).
    public let first: Int
    /// The strengths with which the piece steps in (gives a reason to stay), from the weakest to the strongest; at least one.
    public let grades: [Grade]
    /// The number of a visitor's last predictions at which the visitor counts as "about to leave".
    public let reach: Int
    /// Returns whether an announcement says that the piece has given the visitor a reason to stay because its model called for it, and not
    /// by chance.
    public let isStep: @Sendable (Announcement) -> Bool
    /// Returns whether an announcement says that the visit is held out: in it the piece never gives a reason to stay, whatever its model
    /// calls for.
    public let isHeldOut: @Sendable (Announcement) -> Bool

    /// Returns the predictions of a visit, as indices of `logOdds`, at which the piece would step in, each with the index of the strength
    /// in `grades`. `logOdds` has the log-odds of each prediction, as recorded; that stepping in would change later ones a little is
    /// ignored. `threshold` replaces that of the weakest strength; those of the other strengths move by as much. Nothing is
    /// returned before the prediction `first`, nor where the piece leaves the visitor alone.
    public func steps(by logOdds: [Double], from threshold: Double) -> [(moment: Int, grade: Int)] {
        var (steps, next): ([(moment: Int, grade: Int)], Int) = ([], max(0, first - 1))
        for (moment, value) in logOdds.enumerated() where moment >= next && value >= threshold {
            let grade = grades.lastIndex { value >= threshold + ($0.threshold - grades[0].threshold) } ?? 0
            steps.append((moment, grade))
            next = moment + grades[grade].rest + 1
        }
        return steps
    }

    public init(words: [String: String], visitor: String, exploration: String, holdout: String, first: Int, grades: [Grade], reach: Int,
                isStep: @escaping @Sendable (Announcement) -> Bool,
                isHeldOut: @escaping @Sendable (Announcement) -> Bool = { _ in false }) {
        precondition(!grades.isEmpty, "a piece that steps in does so in some way")
        self.words = words
        self.visitor = visitor
        self.exploration = exploration
        self.holdout = holdout
        self.first = first
        self.grades = grades
        self.reach = reach
        self.isStep = isStep
        self.isHeldOut = isHeldOut
    }
}
