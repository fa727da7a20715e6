import Classifier
import Experience
import Fields
import Files
import Journal
import JournalFile
import ModelFile
import Signals
import Synchronization
import SystemPackage

/// The rules by which a journal is replayed, and the model by which they predict.
public struct ReplayRules: Equatable, Sendable {
    /// No rules: the journal's lines give the cues, whatever the piece. A journal of version 1 has no cues, so it is replayed as by `same`.
    public static let recorded = ReplayRules(.recorded)
    /// The rules with which the session was played. This build must have them.
    public static let same = ReplayRules(.same)
    /// The rules of this build, whatever their version.
    public static let today = ReplayRules(.today)

    /// Returns the rules with which the session was played, or today's, but with this theme from beginning to end. Themes that are loaded
    /// during the session are ignored.
    public static func themed(_ theme: Theme, today: Bool) -> ReplayRules {
        var rules = today ? ReplayRules.today : .same
        rules.theme = theme
        return rules
    }

    private enum Basis { case recorded, same, today }

    private let basis: Basis
    private var model = ReplayModel.recorded
    /// The theme from beginning to end; nil for the session's own themes.
    private(set) var theme: Theme?

    private init(_ basis: Basis) { self.basis = basis }

    /// Returns the same rules with another model.
    public func predicting(by model: ReplayModel) -> ReplayRules {
        var rules = self
        rules.model = model
        return rules
    }

    /// The rules that compute announcements, which journals do not contain: today's rules where `today` was chosen, otherwise those with
    /// which the session was played.
    var forAnnouncements: ReplayRules { (basis == .today ? Self.today : .same).predicting(by: model) }

    /// Whether no rules are needed for journals that contain cues.
    var needNone: Bool { basis == .recorded }

    /// The version of the rules that a journal of version 1 needs. Such a journal does not name it.
    private static let first = 1

    /// Makes a new run for the journal at `path`; nil where no rules are needed. Throws `JournalFault` where none of `pieces` has the
    /// rules, or their model is missing.
    func run(of header: JournalHeader, in path: FilePath, _ pieces: [any Experience.Type]) throws(JournalFault) -> Run? {
        if needNone, header.rules != nil { return nil }
        guard let piece = pieces.named(header.experience) else {
            let known = pieces.map { $0.declaration.name }.joined(separator: ", ")
            throw Self.fault("experience", "one of \(known), whose rules this Thrum has", found: "\"\(header.experience)\"")
        }
        let version = header.rules?.version ?? Self.first
        let own = piece.declaration.rulesVersion
        if version != own, basis != .today {
            let expected = "\(own), the version of the rules of \(header.experience) in this Thrum; --rules today takes them"
            throw Self.fault("rules", expected, found: "\(version)")
        }
        do throws(Fault) {
            try header.knobs.check(piece.declaration.knobs)
        } catch {
            throw Self.fault("tuning." + error.field, error.expected, found: error.found ?? "nothing")
        }
        let model: PredictionModel?
        do throws(Fault) {
            model = try self.model.model(of: header, in: path, piece.declaration)
        } catch {
            throw JournalFault(line: 1, fault: error)
        }
        return Run(piece, Opening(theme: header.theme, seed: header.seed, rate: header.sampleRate, knobs: header.knobs, model: model))
    }

    /// Returns a fault in the header, which is the journal's first line.
    private static func fault(_ field: String, _ expected: String, found: String) -> JournalFault {
        JournalFault(line: 1, fault: Fault(field: field, expected: expected, found: found))
    }
}

/// Where a replay gets the model by which the piece predicts.
public enum ReplayModel: Equatable, Sendable {
    /// The model with which the session was played. It is one of the piece's own, or the file beside the journal that has the header's
    /// digest.
    case recorded
    /// The model with which the session was played, read from this file.
    case file(FilePath)
    /// The piece's standard model, whatever model the session was played with.
    case today

    /// The name of the header's field that names the model.
    public static let field = "model"

    /// Returns the path of a learned model's file, which thrumd stores in the folder of the journals.
    public static func file(digest: String, in folder: FilePath) -> FilePath {
        folder.appending("models").appending(digest + ".mlmodel")
    }

    /// Returns the model for replaying the journal at `path`; nil stands for the piece's standard model. May read a file. Throws a `Fault`
    /// with the header's field `model` where the model is missing.
    func model(of header: JournalHeader, in path: FilePath, _ piece: Declaration) throws(Fault) -> PredictionModel? {
        guard self != .today, self != .recorded || header.model != nil else { return nil }
        guard let prediction = piece.prediction else {
            throw Fault(field: Self.field, expected: "none, because \(piece.name) predicts nothing", found: words(of: header.model))
        }
        guard let wanted = header.model else {
            throw Fault(field: Self.field, expected: "the model of the file's digest, as the session was played by", found: "none")
        }
        guard let digest = wanted.digest else {
            guard self == .recorded else {
                throw Fault(field: Self.field, expected: "\(wanted.name), which the session was played by and is no file",
                            found: words(of: nil))
            }
            guard prediction.models.contains(wanted.name) else {
                let known = prediction.models.joined(separator: ", ")
                let expected = "one of \(known), the models of \(piece.name) in this Thrum; " + Self.way(prediction)
                throw Fault(field: Self.field, expected: expected, found: "\"\(wanted.name)\"")
            }
            return .own(wanted.name)
        }
        let file: FilePath = if case .file(let file) = self { file } else { Self.file(digest: digest, in: path.removingLastComponent()) }
        let expected = "\(wanted.name) of the digest \(digest), which the session was played by; --model FILE gives it, "
        let classifier: Classifier
        do {
            classifier = try RecentClassifier.shared.classifier(of: file, inputs: prediction.inputs)
        } catch Errno.noSuchFileOrDirectory {
            throw Fault(field: Self.field, expected: expected + Self.way(prediction), found: "nothing at \(file)")
        } catch {
            // A fault names the file itself.
            let reason = error is Fault ? "\(error)" : "\(file): \(error)"
            throw Fault(field: Self.field, expected: expected + Self.way(prediction), found: reason)
        }
        guard classifier.digest == digest else {
            throw Fault(field: Self.field, expected: expected + Self.way(prediction), found: "\(file), of the digest \(classifier.digest)")
        }
        // The file may have been moved since; the session goes on naming it as it was.
        return .learned(classifier.named(wanted.name))
    }

    /// Returns the advice on how to replay the session without its model.
    private static func way(_ prediction: PredictionDeclaration) -> String { "--model today takes \(prediction.standard.name)" }

    /// Describes the model that was found where another was expected.
    private func words(of model: JournalHeader.Model?) -> String {
        if case .file(let file) = self { "\(file)" } else { model.map { "\"\($0.name)\"" } ?? "none" }
    }
}

extension ReplayModel {
    /// Returns a sentence that says which model a replay uses instead of the session's; nil where it uses the session's.
    public func note(_ header: JournalHeader, _ pieces: [any Experience.Type]) -> String? {
        guard self == .today, let standard = pieces.named(header.experience)?.declaration.prediction?.standard,
              let recorded = header.model, recorded != JournalHeader.Model(name: standard.name) else { return nil }
        return "predicted by \(standard.name), the model of today, and not by \(recorded.name), which the session was played by"
    }
}

/// Stores the classifier that was read last, so that the file of a model is parsed once for many journals. Thread: any that may wait.
final class RecentClassifier: Sendable {
    /// The instance for all replays of this process.
    static let shared = RecentClassifier { try Classifier(contentsOf: $0, inputs: $1) }

    private struct Reading {
        let path: FilePath
        let state: FileState
        let classifier: Classifier
    }

    private let read: @Sendable (FilePath, [String]) throws -> Classifier
    private let last = Mutex<Reading?>(nil)

    /// Starts without a classifier. `read` parses the file at a path for a piece's inputs.
    init(_ read: @escaping @Sendable (FilePath, [String]) throws -> Classifier) { self.read = read }

    /// Returns the classifier of the file at `path`. Uses the one that was read last, if that is from the same file and the file has not
    /// changed since. Throws as `Classifier.init(contentsOf:inputs:)` does.
    func classifier(of path: FilePath, inputs: [String]) throws -> Classifier {
        // Before it is read: a file that changes meanwhile is read again the next time.
        let state = try BlockingWork.wait { try FileState(at: path) }
        let former = last.withLock { $0 }
        if let former, former.path == path, former.state == state, former.classifier.inputs == inputs { return former.classifier }
        let classifier = try read(path, inputs)
        last.withLock { $0 = Reading(path: path, state: state, classifier: classifier) }
        return classifier
    }
}
