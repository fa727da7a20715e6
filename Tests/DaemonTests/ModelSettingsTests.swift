import Direct
import Experience
import Foreteller
import Foundation
import Settings
import Testing
import TestSupport
import Wire

@testable import Daemon
@testable import Live

/// The setting `churn-model`.
@Suite struct ModelSettingsTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// As a thrumd with two pieces, one of which predicts, reads a file of `text`.
    private func settings(_ text: String) throws -> DaemonSettings {
        let pieces: [any Experience.Type] = [Direct.self, Foreteller.self]
        let source = SettingsSource(pieces: pieces, table: try SettingsTable(pieces: pieces.map { $0.declaration }),
                                    file: try scratch.write(text, to: "thrum.yaml"), flags: [:],
                                    environment: ["XDG_STATE_HOME": scratch.file("state"), "XDG_RUNTIME_DIR": scratch.path], socket: nil)
        return try source.read()
    }

    private func predicting(by model: String) throws -> DaemonSettings { try settings("experience: foreteller\nchurn-model: \(model)\n") }

    @Test func `where nobody says otherwise the piece's standard predicts`() throws {
        let live = try settings("experience: foreteller\n").live
        #expect(live.prediction.model == nil && live.prediction.issues.isEmpty)
        #expect(live.reportedModel == StatusReport.Model(name: "rising"))
        #expect(live.reports.first { $0.key == "churn-model" }?.value == "rising")
        #expect(try settings("experience: direct\n").live.reportedModel == nil)
    }

    @Test func `a word is one of the piece's own models, or a fault that lists them`() throws {
        #expect(try predicting(by: "falling").live.prediction.model == .own("falling"))
        let faults = try #require(throws: SettingsFaults.self) { try predicting(by: "fallin") }
        #expect(faults.words.count == 1 && faults.words[0].hasSuffix(
            "thrum.yaml:2: churn-model: expected one of rising, falling, or the path of a .mlmodel, found \"fallin\" (did you mean falling?)"))
    }

    @Test func `a piece that predicts nothing has no use for another's model, and knows none that nobody has`() throws {
        let live = try settings("experience: direct\nchurn-model: falling\n").live
        #expect(live.prediction.model == nil && live.reportedModel == nil)
        #expect(try settings("experience: direct\nchurn-model: /nowhere/a.mlmodel\n").refused.isEmpty)
        #expect(throws: SettingsFaults.self) { try settings("experience: direct\nchurn-model: sideways\n") }
    }

    @Test func `a file that is no model is an issue, and the piece's standard predicts`() throws {
        for path in [scratch.file("nowhere.mlmodel"), try scratch.write("no model", to: "text.mlmodel"), scratch.path] {
            let read = try predicting(by: path)
            #expect(read.live.prediction.model == nil && read.live.reportedModel == StatusReport.Model(name: "rising"))
            let issue = try #require(read.live.prediction.issues.first)
            #expect(issue.hasPrefix("churn-model: \(path): ") && issue.hasSuffix("; rising predicts in its place"))
            // --check-config refuses it, and a reload tells it.
            #expect(read.refused == [issue] && read.warnings.contains(issue))
        }
    }

    @Test func `a file is the model in it, and a reload finds that it has changed`() throws {
        let fixture = repository + "/Tests/Fixtures/models/boosted.mlmodel"
        let path = scratch.file("mine.mlmodel")
        try FileManager.default.copyItem(atPath: fixture, toPath: path)
        let read = try predicting(by: path)
        guard case .learned(let classifier)? = read.live.prediction.model else { Issue.record("\(read.live.prediction)"); return }
        #expect(classifier.name == "mine.mlmodel" && classifier.digest.utf8.count == 64)
        // These bytes are kept, whatever becomes of the file.
        #expect(try read.live.prediction.bytes == [UInt8](Data(contentsOf: URL(fileURLWithPath: fixture))))
        #expect(read.live.reportedModel == StatusReport.Model(name: "mine.mlmodel", digest: classifier.digest))
        let again = try predicting(by: path)
        #expect(read.refused.isEmpty && again.changes(since: read).isEmpty)
        try Data("broken".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try predicting(by: path).changes(since: read) == [ReloadReport.Change(key: "churn-model", former: path, value: path)])
    }
}
