import ArgumentParser
import Classifier
import Experience
import Fields
import ModelFile
import Offline
import SystemPackage

struct ChurnCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "churn",
        abstract: "Look at the models by which a piece says who is about to leave, and find out what they are good for.",
        subcommands: [Show.self, Test.self, Trial.self])
}

/// The option that names a piece whose models are to be used.
struct PredictingPiece: ParsableArguments {
    @Option(help: "Which piece: one that predicts. (default: the first)")
    var experience: String?

    private static var all: [any Experience.Type] { Pieces.current.all.filter { $0.declaration.prediction != nil } }

    /// Returns the piece that the option names, or else the first one that predicts, and its declaration of predictions. Where there is no
    /// such piece, prints that and throws an exit status.
    func found() throws -> (type: any Experience.Type, prediction: PredictionDeclaration) {
        let all = Self.all
        guard let type = experience.map({ all.named($0) }) ?? all.first, let prediction = type.declaration.prediction else {
            let known = all.map { $0.declaration.name }.joined(separator: ", ")
            throw failure("--experience: expected \(known.isEmpty ? "a piece that predicts" : "one of " + known), found "
                + (experience.map { "\"\($0)\"" } ?? "none in this Thrum"), .validationFailure)
        }
        return (type, prediction)
    }
}

/// A model on the command line: the name of one of the piece's own models, or the path of a classifier's file.
struct ModelArgument: ExpressibleByArgument, Equatable, CustomStringConvertible {
    static let words = "One of the piece's own models by its name, or a classifier's file (.mlmodel)."

    private let file: FileArgument

    init(argument: String) { file = FileArgument(argument: argument) }

    var description: String { file.description }

    /// Returns the model that the argument names. If its file is faulty, prints that after `field`, the argument's name on the command
    /// line, and throws the exit status.
    func model(of prediction: PredictionDeclaration, field: String = "MODEL") throws -> PredictionModel {
        if prediction.models.contains(file.word) { return .own(file.word) }
        do {
            return .learned(try Classifier(contentsOf: file.path, inputs: prediction.inputs))
        } catch {
            let problem = problem(error, of: prediction)
            throw failure("\(field): \(problem.words)", problem.status)
        }
    }

    /// Turns `error`, which reading the model's file has thrown, into a message and the exit status for it.
    func problem(_ error: any Error, of prediction: PredictionDeclaration) -> (words: String, status: ExitCode) {
        switch error {
        case Errno.noSuchFileOrDirectory:
            let hint = Spelling.hint(for: file.word, among: prediction.models)
            let known = prediction.models.joined(separator: ", ")
            return ("expected one of \(known), or a classifier's file, found \"\(self)\"\(hint)", Exit.noInput)
        // A fault names the file itself.
        case let fault as Fault: return ("\(fault)", Exit.data)
        default: return ("\(self): \(error)", Exit.noInput)
        }
    }
}

extension String {
    /// This name without the extension of a model's file, as the title of a column.
    var withoutModelEnding: String { hasSuffix(".mlmodel") ? String(dropLast(".mlmodel".count)) : self }
}

/// Writes estimates for people: a number and its uncertainty.
enum EstimateText {
    /// Writes an estimate as `1.25 ±0.03`, with both numbers multiplied by `factor`. Leaves out the second where it is unknown. Writes a
    /// dash where `estimate` is nil.
    static func words(_ estimate: Estimate?, digits: Int, factor: Double = 1, isSigned: Bool = false) -> String {
        guard let estimate else { return "–" }
        let scaled = estimate * factor
        let number = (isSigned && scaled.value > 0 ? "+" : "") + scaled.value.fixed(digits)
        guard let low = scaled.low, let high = scaled.high else { return number }
        return number + " ±" + max(high - scaled.value, scaled.value - low).fixed(digits)
    }

    static func words(_ number: Double?, digits: Int) -> String { number.map { $0.fixed(digits) } ?? "–" }
}

extension ChurnCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Say what a model is: where it is from, what it takes, and how it comes to its margin.",
            discussion: """
                A margin is the log-odds that a visitor is about to leave: 0 for evens, 0.2 for 0.55, 0.85 for 0.7. A file that is no \
                classifier, or asks for what the piece does not give, is refused by name.

                EXAMPLES
                  thrum churn show handTuned
                  thrum churn show churn.mlmodel
                  thrum churn show churn.mlmodel --json | jq -r .digest
                """)

        @Argument(help: ArgumentHelp(stringLiteral: ModelArgument.words), completion: Completions.models)
        var model: ModelArgument

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @OptionGroup var piece: PredictingPiece

        func run() throws {
            let (type, prediction) = try piece.found()
            let description = ModelDescription(try model.model(of: prediction), of: type.declaration.name, prediction)
            print(json ? try JSONReport.text(description) : description.lines.joined(separator: "\n"))
        }
    }
}

/// The description of a model, for people and scripts.
struct ModelDescription: Equatable, Encodable {
    var name: String
    var experience: String
    /// The kind of model: `own` for the piece's own, and `trees` or `linear` for a classifier from a file.
    var form: String
    /// The SHA-256 of the model's file; nil for one of the piece's own models.
    var digest: String?
    /// Whether this is the model that the piece uses without a setting.
    var isStandard: Bool
    var about: String?
    var inputs: [String]
    /// The number of trees, the number of all nodes, and the depth of the deepest tree in branches; nil where the model has no trees.
    var trees: Int?
    var nodes: Int?
    var depth: Int?
    /// The weight of each input, for a model that is a weighted sum (`linear`); nil for other models.
    var weights: [String: Double]?
    /// The log-odds to which the trees or the weighted inputs add; nil for one of the piece's own models.
    var base: Double?

    init(_ model: PredictionModel, of experience: String, _ prediction: PredictionDeclaration) {
        name = model.name
        self.experience = experience
        isStandard = model == .own(prediction.models[0])
        inputs = prediction.inputs
        switch model {
        case .own(let name):
            form = "own"
            about = prediction.practice?.words[name]
        case .learned(let classifier):
            digest = classifier.digest
            inputs = classifier.inputs
            switch classifier.form {
            case .linear(let sum):
                form = "linear"
                base = sum.offset
                weights = Dictionary(sum.terms.map { (classifier.inputs[$0.input], $0.weight) }) { $0 + $1 }
            case .trees(let ensemble):
                form = "trees"
                base = ensemble.base
                (trees, nodes, depth) = ensemble.size
            }
        }
    }

    var lines: [String] {
        func line(_ title: String, _ text: String?) -> [String] { text.map { ["  " + title.padded(to: 12) + $0] } ?? [] }
        let kind = switch form {
        case "own": "one of \(experience)'s own"
        case "linear": "a weighted sum of its inputs"
        default: "\(trees ?? 0) trees of \(nodes ?? 0) nodes, the deepest of \(depth ?? 0) branches; their leaves are added up"
        }
        return [name + (isStandard ? ", the standard of \(experience)" : "")] + line("about", about) + line("digest", digest)
            + line("form", kind) + line("inputs", inputs.joined(separator: ", ")) + line("base", base.map { "\($0)" })
            + inputs.compactMap { input in weights?[input].map { "  " + ("weight of " + input).padded(to: 34) + "\($0)" } }
    }
}
