import Classifier
import Signals

/// Declares what a piece predicts by: the models that it has itself, and the inputs that it gives to a classifier out of a file.
public struct PredictionDeclaration: Sendable {
    /// The names of the piece's own models, at least one. The first is used where nobody says otherwise.
    public let models: [String]
    /// The names of what a classifier may take as its inputs.
    public let inputs: [String]
    /// What the piece does with a prediction; nil where no trial can be made of it.
    public let practice: PredictionPractice?

    public init(models: [String], inputs: [String], practice: PredictionPractice? = nil) {
        precondition(!models.isEmpty, "a piece that predicts has a model of its own")
        self.models = models
        self.inputs = inputs
        self.practice = practice
    }

    /// The model that is used where nobody says otherwise.
    public var standard: PredictionModel { .own(models[0]) }
}

/// A model by which a run predicts.
public enum PredictionModel: Equatable, Sendable {
    /// One of the piece's own, by its name.
    case own(String)
    /// A classifier out of a file.
    case learned(Classifier)

    /// The model's name for people and journals.
    public var name: String {
        switch self {
        case .own(let name): name
        case .learned(let classifier): classifier.name
        }
    }

    /// The SHA-256 of the model's file, as 64 small hexadecimal digits; nil for one of the piece's own.
    public var digest: String? {
        switch self {
        case .own: nil
        case .learned(let classifier): classifier.digest
        }
    }
}

/// Declares what a piece does with its predictions, so that its models can be tried on simulated visitors and judged on recorded ones.
///
/// A moment is an event at which the piece predicts: its effects have a margin.
public struct PredictionPractice: Sendable {
    /// One way to step in.
    public struct Grade: Sendable {
        /// The margin from which on it is called for, in log-odds.
        public let margin: Double
        /// The moments after it on which the piece leaves the visitor alone.
        public let rest: Int

        public init(from margin: Double, rest: Int) {
            self.margin = margin
            self.rest = rest
        }
    }

    /// Describes each of the piece's own models in a sentence, by its name.
    public let words: [String: String]
    /// The name of the simulated visitors on whom trials are made, who have reasons to stay and to leave.
    public let visitor: String
    /// The name of the knob of the chance with which the piece does at a moment what chance says and not the model.
    public let exploration: String
    /// The name of the knob of the part of visits, 0…1, in which the piece never steps in.
    public let holdout: String
    /// The first moment of a visit, counted from 1, at which the piece may step in.
    public let first: Int
    /// How the piece steps in, from the weakest to the strongest; at least one.
    public let grades: [Grade]
    /// The moments before a visitor's leaving that count as being about to leave.
    public let reach: Int
    /// Whether an announcement says that the piece steps in because its model calls for it, and not by chance.
    public let isStep: @Sendable (Announcement) -> Bool
    /// Whether an announcement says that the visit is held out: that the piece never steps in, whatever its model calls for.
    public let isHeldOut: @Sendable (Announcement) -> Bool

    /// Returns the moments of a visit, from 0, at which the piece would step in if its weakest way were called for from `threshold` on, in
    /// log-odds, and which of `grades` it would be. The thresholds of stronger ways move with that of the weakest. The piece keeps to its
    /// first moment and to its rests. `margins` are those of the visit's moments; they are taken as they were, though stepping in would
    /// change them a little.
    public func steps(by margins: [Double], from threshold: Double) -> [(moment: Int, grade: Int)] {
        var (steps, next): ([(moment: Int, grade: Int)], Int) = ([], max(0, first - 1))
        for (moment, margin) in margins.enumerated() where moment >= next && margin >= threshold {
            let grade = grades.lastIndex { margin >= threshold + ($0.margin - grades[0].margin) } ?? 0
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
