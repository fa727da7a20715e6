import Classifier
import Experience
import Files
import Offline
import SystemPackage
import Wire

extension LiveSettings {
    /// The model by which the piece predicts, according to the settings.
    public struct Prediction: Sendable {
        /// The model; nil for the piece's standard model.
        public var model: PredictionModel?
        /// The bytes of the learned model's file, until they are stored beside the journals. The file itself may have changed since it was
        /// read.
        public var bytes: [UInt8]?
        /// Why the file in the settings is not used, in words; nil where it is used.
        public var refusal: String?
        /// Why the model's file could not be stored beside the journals, in words; nil where it could.
        var saveFailure: String?

        public init(model: PredictionModel? = nil, bytes: [UInt8]? = nil, refusal: String? = nil) {
            self.model = model
            self.bytes = bytes
            self.refusal = refusal
        }

        /// The issues of the model, in words.
        var issues: [String] { [refusal, saveFailure].compactMap { $0 } }
    }

    /// The model for the status; nil for a piece that predicts nothing.
    var reportedModel: StatusReport.Model? {
        piece.declaration.prediction.map { prediction.model ?? $0.standard }.map { StatusReport.Model(name: $0.name, digest: $0.digest) }
    }

    /// Returns the settings after storing the file of their learned model beside the journals, so that sessions can be replayed. May wait
    /// for a disk. If the file cannot be stored, the returned settings contain the reason.
    func withKeptModel() -> LiveSettings {
        guard case .learned(let classifier)? = prediction.model, let bytes = prediction.bytes else { return self }
        var settings = self
        settings.prediction.bytes = nil
        do {
            try BlockingWork.wait { [folder = FilePath(sessions)] in try classifier.keep(bytes, in: folder) }
        } catch {
            settings.prediction.saveFailure = "the model \(classifier.name) could not be kept in \(sessions)/models, "
                + "without which its sessions are not replayed: \(error)"
        }
        return settings
    }
}

extension Classifier {
    /// Stores `bytes`, the file of this classifier, in the folder of the journals, unless they are there already. Replaces a damaged copy.
    /// A reader finds all bytes or no file. Throws `Errno`.
    func keep(_ bytes: [UInt8], in folder: FilePath) throws {
        let path = ReplayModel.file(digest: digest, in: folder)
        if let kept = try? PlainFile.bytes(of: path, atMost: bytes.count), kept == bytes { return }
        try PlainFile.replace(path, with: bytes, [.ownerReadWrite, .groupRead])
    }
}
