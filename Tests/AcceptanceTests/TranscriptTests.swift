import Foundation
import Testing
import TestSupport

/// One conversation of docs/reference/transcripts.md.
private struct Transcript {
    var experience: String
    /// Lines with their arrows.
    var lines: [Substring]

    static func all() throws -> [Transcript] {
        let page = try String(contentsOfFile: repository + "/docs/reference/transcripts.md", encoding: .utf8)
        return page.components(separatedBy: "```transcript ").dropFirst().map { part in
            let lines = part.prefix(upTo: part.range(of: "\n```")!.lowerBound).split(separator: "\n")
            return Transcript(experience: String(lines[0]), lines: Array(lines.dropFirst()))
        }
    }
}

/// Whether `text` is `pattern`, in which `…` stands for anything.
private func matches(_ text: String, _ pattern: Substring) -> Bool {
    let pieces = pattern.components(separatedBy: "…")
    guard text.hasPrefix(pieces[0]), text.hasSuffix(pieces[pieces.count - 1]) else { return false }
    var rest = text[...]
    for piece in pieces where !piece.isEmpty {
        guard let found = rest.range(of: piece) else { return false }
        rest = rest[found.upperBound...]
    }
    return pieces.count > 1 || text == pattern
}

@Suite struct TranscriptTests {
    @Test func `the conversations in the documentation go as they are written there`() async throws {
        let transcripts = try Transcript.all()
        #expect(transcripts.map(\.experience) == ["direct", "colorscroller"])
        for transcript in transcripts {
            let daemon = try await Daemon(["--output", "null", "--experience", transcript.experience, "--seed", "7"])
            let client = try LineSocket(daemon.socket)
            for line in transcript.lines {
                if line.hasPrefix("→ ") {
                    try client.send(String(line.dropFirst(2)))
                } else {
                    let answer = try client.receive()
                    #expect(line.hasPrefix("← ") && matches(answer, line.dropFirst(2)), "\(answer) for \(line)")
                }
            }
            #expect(daemon.terminate() == 0)
        }
    }

    @Test func `every method there is occurs in them`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let answer = try LineSocket(daemon.socket).call("rpc.discover")
        #expect(daemon.terminate() == 0)
        let result = (try JSONSerialization.jsonObject(with: Data(answer.utf8)) as? [String: Any])?["result"] as? [String: Any]
        let methods = (result?["methods"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
        let sent = try Transcript.all().flatMap(\.lines).filter { $0.hasPrefix("→ ") }
        #expect(methods.count >= 20)
        for method in methods { #expect(sent.contains { $0.contains("\"method\":\"\(method)\"") }, "\(method)") }
    }
}
