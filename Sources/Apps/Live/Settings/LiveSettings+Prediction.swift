import Classifier
import Experience
import Files
import Offline
import SystemPackage
import Wire

extension LiveSettings {
    /// The model by which the piece predicts, as settings have it.
    public struct Prediction: Sendable {
        /// Nil for the piece's standard.
        public var model: PredictionModel?
        /// The bytes of the file that a learned model is from, until they are kept beside the journals. The file may be another by now.
        public var bytes: [UInt8]?
        /// Why the file that was asked for is not used, in words; nil where it is.
        public var refusal: String?
        /// Why the model's file could not be kept beside the journals, in words; nil where it could.
        var unkept: String?

        public init(model: PredictionModel? = nil, bytes: [UInt8]? = nil, refusal: String? = nil) {
            self.model = model
            self.bytes = bytes
            self.refusal = refusal
        }

        /// What is not as it should be, in words.
        var issues: [String] { [refusal, unkept].compactMap { $0 } }
    }

    /// The model for the status; nil for a piece that predicts nothing.
    var reportedModel: StatusReport.Model? {
        piece.declaration.prediction.map { prediction.model ?? $0.standard }.map { StatusReport.Model(name: $0.name, digest: $0.digest) }
    }

    /// Returns the settings with the file of their learned model kept beside the journals, so that sessions can be replayed. May wait for a
    /// disk. Where that fails, the settings say why.
    func withKeptModel() -> LiveSettings {
        guard case .learned(let classifier)? = prediction.model, let bytes = prediction.bytes else { return self }
        var settings = self
        settings.prediction.bytes = nil
        do {
            try BlockingWork.wait { [folder = FilePath(sessions)] in try classifier.keep(bytes, in: folder) }
        } catch {
            settings.prediction.unkept = "the model \(classifier.name) could not be kept in \(sessions)/models, without which its sessions "
                + "are not replayed: \(error)"
        }
        return settings
    }
}

extension Classifier {
    /// Keeps `bytes`, from which the classifier is, as a file in the folder of the journals, unless they are there. A file that is no whole
    /// copy is replaced. Whoever looks finds all of them or nothing. Throws `Errno`.
    func keep(_ bytes: [UInt8], in folder: FilePath) throws {
        let place = ReplayModel.file(digest: digest, in: folder)
        if let kept = try? PlainFile.bytes(of: place, atMost: bytes.count), kept == bytes { return }
        try PlainFile.replace(place, with: bytes, [.ownerReadWrite, .groupRead])
    }
}
