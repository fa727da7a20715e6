/// A binary classifier that was read from a file. It computes the log-odds that something is so, for instance that a visitor
/// is about to leave.
///
/// A classifier is a value. It is deterministic: the same inputs give the same bits on every machine, because it only compares, adds and
/// multiplies doubles, in an order that the file fixes.
public struct Classifier: Equatable, Sendable {
    /// The file's name without its folder, for instance `churn.mlmodel`.
    public let name: String
    /// The SHA-256 of the file's bytes, as 64 hexadecimal digits.
    public let digest: String
    /// The names of the inputs, in the order in which `logOdds` takes their values.
    public let inputs: [String]
    /// The kind of the classifier, with the numbers from its file. It computes the log-odds from the inputs.
    public let form: Form

    /// The kinds of classifiers.
    public enum Form: Equatable, Sendable {
        case linear(LinearForm)
        case trees(TreeEnsemble)
    }

    public init(name: String, digest: String, inputs: [String], form: Form) {
        self.name = name
        self.digest = digest
        self.inputs = inputs
        self.form = form
    }

    /// Returns the same classifier under another name.
    public func named(_ name: String) -> Classifier { Classifier(name: name, digest: digest, inputs: inputs, form: form) }

    /// Returns the log-odds. `values` has one value for each of `inputs`, in the same order. Allocates nothing.
    public func logOdds(_ values: Span<Float>) -> Double {
        precondition(values.count == inputs.count, "a classifier takes a value for each input")
        return switch form {
        case .linear(let linear): linear.logOdds(values)
        case .trees(let ensemble): ensemble.logOdds(values)
        }
    }
}

/// A weighted sum of inputs, as logistic regression gives it.
public struct LinearForm: Equatable, Sendable {
    /// The terms of the sum, in the order in which they are added.
    public let terms: [Term]
    /// The log-odds where all inputs are 0. It is added last, as scikit-learn does.
    public let offset: Double

    /// An input with its weight.
    public struct Term: Equatable, Sendable {
        /// The index of the input, counted from 0.
        public let input: Int
        public let weight: Double

        public init(input: Int, weight: Double) {
            self.input = input
            self.weight = weight
        }
    }

    public init(terms: [Term], offset: Double) {
        self.terms = terms
        self.offset = offset
    }

    /// Creates a sum with a weight for each input, in the order of the inputs.
    public init(weights: [Double], offset: Double) {
        self.init(terms: weights.enumerated().map { Term(input: $0.offset, weight: $0.element) }, offset: offset)
    }

    func logOdds(_ values: Span<Float>) -> Double {
        var sum = 0.0
        for term in terms { sum += term.weight * Double(values[term.input]) }
        return sum + offset
    }
}
