import Foundation
import Testing
import TestSupport

/// What becomes of a session whose journal others write to.
@Suite struct JournalTruncationTests {
    @Test func `a running journal that is truncated is set aside, told of, counted, and goes on in one that is good`() async throws {
        let daemon = try await Daemon(["--output", "null"])
        let client = try LineSocket(daemon.socket)
        for _ in 0..<5 { _ = try client.call("chime.play", #"{"name":"ding"}"#) }
        #expect(try await eventually { try daemon.journals.count == 1 && events(daemon.journals[0]) == 5 })
        let first = daemon.journals[0]
        let text = try String(contentsOfFile: first, encoding: .utf8)
        // The header, two chimes, and a part of the third. On a slow machine a line that signs stands among them.
        let all = text.split(separator: "\n")
        let third = try #require(all.indices.filter { all[$0].contains(#""event":"chime""#) }.dropFirst(2).first)
        let kept = all[..<third].reduce(0) { $0 + $1.utf8.count + 1 }
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: first))
        try file.truncate(atOffset: UInt64(kept + 20))
        try file.close()
        // Nobody has to do anything for it to be noticed.
        #expect(try await eventually { try daemon.status()["disturbedJournals"] as? Int == 1 })
        let status = try daemon.status()
        let aside = String(first.dropLast(".jsonl".count)) + ".disturbed.jsonl"
        let issues = try #require(status["issues"] as? [String])
        #expect(issues.contains("journals that others changed while they were written: 1, the last set aside as \(aside)"), "\(issues)")
        #expect(issues.contains("3 journal entries are lost") && status["lostEntries"] as? Int == 3)
        let second = try #require((status["session"] as? [String: Any])?["journal"] as? String)
        _ = try client.call("chime.play", #"{"name":"unlock"}"#)
        #expect(daemon.terminate() == 0)
        #expect(daemon.process.errors.contains("others have changed the journal"))
        #expect(daemon.journals.sorted() == [second, aside].sorted() && second.hasSuffix("Z-2.jsonl"))
        let lines = try String(contentsOfFile: second, encoding: .utf8).split(separator: "\n")
        #expect(try String(contentsOfFile: aside, encoding: .utf8).hasPrefix(lines[..<third].joined(separator: "\n") + "\n"))
        #expect(lines.contains { $0.contains(#""entries":3,"#) && $0.contains(#""discontinuity":"lost""#) })
        #expect(try thrum("verify", second).status == 0 && thrum("verify", aside).text.contains("good so far, cut off at line \(third + 1)"))
        let shown = try thrum("sessions", "show", "--sessions", daemon.scratch.file("sessions")).text
        #expect(shown.hasPrefix(second) && shown.contains("chime × 3"), "\(shown)")
    }

    private func events(_ journal: String) throws -> Int {
        try String(contentsOfFile: journal, encoding: .utf8).split(separator: "\n").count { $0.contains(#""event":"chime""#) }
    }
}
