import Classifier
import Direct
import Files
import Foreteller
import Foundation
import Offline
import SystemPackage
import Testing
import TestSupport
import Wire

@testable import Live

/// Learned models are kept beside the journals, and the status tells of the one in use.
@Suite struct PredictionSettingsTests {
    private let scratch: Scratch
    private let bytes = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
    private let classifier: Classifier
    private let folder: FilePath

    init() throws {
        scratch = try Scratch()
        folder = FilePath(scratch.file("state/sessions"))
        classifier = Classifier(name: "churn.mlmodel", digest: Digest.hexadecimal(Digest.of(bytes)), inputs: ["taps"],
                                form: .linear(LinearForm(weights: [1], offset: 0)))
    }

    private func kept() throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path.string))) }

    private var path: FilePath { ReplayModel.file(digest: classifier.digest, in: folder) }

    private func live() -> LiveSettings {
        var settings = LiveSettings.silent()
        settings.piece = Foreteller.self
        settings.sessions = folder.string
        settings.prediction = LiveSettings.Prediction(model: .learned(classifier), bytes: bytes)
        return settings
    }

    @Test func `the bytes of a learned model are kept once, under their digest, in a folder that is made for them`() throws {
        let settings = live().withKeptModel()
        #expect(settings.prediction.issues.isEmpty && settings.prediction.model == .learned(classifier))
        #expect(settings.prediction.bytes == nil, "they are on the disk now")
        #expect(path.string == folder.string + "/models/\(classifier.digest).mlmodel")
        #expect(try kept() == bytes)
        let number = try #require(path.information).st_ino
        #expect(live().withKeptModel().prediction.issues.isEmpty && path.information?.st_ino == number)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.string + "/models").count == 1, "no draft stays")
    }

    @Test func `a copy that is cut off, that goes on, or that has other bytes is written anew`() throws {
        try path.removingLastComponent().makeDirectories()
        for wrong in [Array(bytes.dropLast()), [], bytes + [0], [1] + bytes.dropFirst()] {
            try Data(wrong).write(to: URL(fileURLWithPath: path.string))
            #expect(live().withKeptModel().prediction.issues.isEmpty)
            #expect(try kept() == bytes)
        }
    }

    @Test func `what a killed thrumd left of a copy is no hindrance`() throws {
        try path.removingLastComponent().makeDirectories()
        try Data("torn".utf8).write(to: URL(fileURLWithPath: path.string + ".part"))
        #expect(live().withKeptModel().prediction.issues.isEmpty)
        #expect(try kept() == bytes)
    }

    @Test func `a folder that cannot be made is an issue`() throws {
        _ = try scratch.write("in the way", to: "state")
        let settings = live().withKeptModel()
        #expect(settings.prediction.issues.count == 1 && settings.prediction.model == .learned(classifier), "it predicts all the same")
    }

    @Test func `a model of the piece's own has no file to keep`() {
        var settings = live()
        settings.prediction = LiveSettings.Prediction(model: .own("falling"))
        #expect(settings.withKeptModel().prediction.issues.isEmpty && !folder.isThere)
        #expect(settings.reportedModel == StatusReport.Model(name: "falling"))
    }

    @Test func `a reload brings another model, and what is wrong with it`() {
        var current = CurrentSettings(live())
        #expect(current.values.reportedModel == StatusReport.Model(name: "churn.mlmodel", digest: classifier.digest))
        var new = live()
        new.prediction = LiveSettings.Prediction(refusal: "churn-model: it is none")
        _ = current.take(new, waitingForStart: [], knobs: .standard)
        #expect(current.values.reportedModel == StatusReport.Model(name: "rising"))
        #expect(current.values.prediction.issues == ["churn-model: it is none"])
    }

    @Test func `a model of a piece that waits for a start is none of the piece that plays`() {
        var current = CurrentSettings(live())
        var new = live()
        new.piece = Direct.self
        new.prediction = LiveSettings.Prediction(model: .own("sideways"))
        _ = current.take(new, waitingForStart: ["experience"], knobs: .standard)
        #expect(current.values.prediction.model == .learned(classifier))
    }
}
