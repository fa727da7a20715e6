import Foundation
import Testing
import TestSupport

/// A real thrumd that predicts by a file, and what is replayed of its visits.
@Suite struct ChurnModelTests {
    private let scratch: Scratch
    /// A copy of a learned model of the repository.
    private let fixture: String

    init() throws {
        scratch = try Scratch()
        fixture = scratch.file("churn.mlmodel")
        try FileManager.default.copyItem(atPath: repository + "/Tests/Fixtures/models/boosted.mlmodel", toPath: fixture)
    }

    private func configure(_ model: String) throws -> String {
        try scratch.write("experience: colorscroller\nchurn-model: \(model)\nidle: 3600\n", to: "thrum.yaml")
    }

    /// Has a visitor see some cards and leave, and returns the visit's journal once it is whole.
    private func visit(_ daemon: Daemon) async throws -> String {
        let client = try LineSocket(daemon.socket)
        for _ in 0..<12 { _ = try client.call("swipe", #"{"velocity":2}"#) }
        var path: String?
        #expect(try await eventually {
            path = (try daemon.status()["session"] as? [String: Any])?["journal"] as? String
            return path != nil
        })
        let journal = try #require(path)
        _ = try client.call("session.end", "{}")
        #expect(try await eventually { try String(contentsOfFile: journal, encoding: .utf8).contains(#""end":"request""#) })
        return journal
    }

    private func header(_ journal: String) throws -> [String: Any] {
        let line = try #require(try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").first)
        return try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
    }

    @Test func `visits are predicted by the file, then by another model from the next visit on, and replays know which`() async throws {
        let digest = try sha256(Data(contentsOf: URL(fileURLWithPath: fixture)))
        let daemon = try await Daemon(["--output", "null", "--config", try configure(fixture)])
        #expect(try daemon.status()["model"] as? [String: String] == ["name": "churn.mlmodel", "digest": digest])
        #expect(try thrum("status", "--socket", daemon.socket).text.contains("model    churn.mlmodel, SHA-256 \(digest)"))
        let kept = daemon.scratch.file("sessions/models/\(digest).mlmodel")
        #expect(FileManager.default.contentsEqual(atPath: fixture, andPath: kept))
        let first = try await visit(daemon)
        _ = try configure("handTuned")
        #expect(try thrum("reload", "--socket", daemon.socket).status == 0)
        #expect(try daemon.status()["model"] as? [String: String] == ["name": "handTuned"])
        let second = try await visit(daemon)
        #expect(daemon.terminate() == 0)

        #expect(try header(first)["model"] as? [String: String] == ["name": "churn.mlmodel", "digest": digest])
        #expect(try header(second)["model"] as? [String: String] == ["name": "handTuned"])
        for journal in [first, second] {
            #expect(try String(contentsOfFile: journal, encoding: .utf8).contains(#""margin":"#))
            let verified = try thrum("verify", journal)
            #expect(verified.status == 0 && verified.text.contains("cues as the rules of colorscroller"), "\(verified.text)")
        }

        // Elsewhere the file must be given, and no other is taken for it.
        let moved = scratch.file("moved.jsonl")
        try FileManager.default.copyItem(atPath: first, toPath: moved)
        let refused = try thrum("telemetry", "export", moved)
        #expect(refused.status == 65 && refused.errors.contains("model: expected churn.mlmodel of the digest \(digest)"), "\(refused.errors)")
        #expect(try thrum("verify", moved).text.contains("cues not compared: model: expected churn.mlmodel"))
        let given = try thrum("telemetry", "export", moved, "--model", fixture)
        #expect(given.status == 0 && given.errors.isEmpty && given.text.split(separator: "\r\n").count > 10, "\(given.errors)")
        let other = try scratch.write("no model", to: "other.mlmodel")
        let wrong = try thrum("verify", moved, "--model", other)
        #expect(wrong.status == 65 && wrong.text.contains("other.mlmodel"), "\(wrong.text)")
        let today = try thrum("telemetry", "export", moved, "--model", "today")
        #expect(today.status == 0 && today.errors.contains(
            "predicted by handTuned, the model of today, and not by churn.mlmodel, which the session was played by"), "\(today.errors)")
        // What was heard needs no model.
        #expect(try thrum("render", moved, "-o", scratch.file("moved.wav")).status == 0)
    }

    @Test func `a file that is no model is an issue, and thrumd plays on by the piece's own`() async throws {
        let broken = try scratch.write("no model", to: "broken.mlmodel")
        let daemon = try await Daemon(["--output", "null", "--config", try configure(broken)])
        let status = try daemon.status()
        #expect(status["model"] as? [String: String] == ["name": "handTuned"])
        let issues = try #require(status["issues"] as? [String])
        #expect(issues.contains { $0.hasPrefix("churn-model: \(broken): ") && $0.hasSuffix("; handTuned predicts in its place") }, "\(issues)")
        _ = try configure("calibrated")
        #expect(try thrum("reload", "--socket", daemon.socket).status == 0)
        #expect(try daemon.status()["model"] as? [String: String] == ["name": "calibrated"])
        #expect(try daemon.status()["issues"] as? [String] == [])
        _ = try configure("handtuned")
        let bad = try thrum("reload", "--socket", daemon.socket)
        #expect(bad.status != 0 && (bad.text + bad.errors).contains("churn-model: expected one of handTuned, calibrated"), "\(bad)")
        #expect(daemon.terminate() == 0)
    }
}
