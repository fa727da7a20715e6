import Foundation
import Journal
import JournalFile
import Metronome
import Offline
import Registry
import Signals
import SystemPackage
import Testing
import TestSupport

/// A piece that Thrum does not have, added by its folder and a line where the pieces are listed, in a real daemon.
@Suite(.serialized) struct MetronomeDaemonTests {
    private func daemon(_ scratch: Scratch) async throws -> Daemon {
        try await Daemon(["--output", "null", "--experience", "metronome", "--seed", "3"], scratch: scratch, program: Programs.metronomed)
    }

    /// How often it has beaten in all its runs.
    private func total(_ client: LineSocket) throws -> Int {
        let answer = try JSONSerialization.jsonObject(with: Data(try client.call("metronome.beats").utf8)) as? [String: Any]
        return try #require((answer?["result"] as? [String: Any])?["total"] as? Int)
    }

    @Test func `its methods are listed, its ticks fall on the frames asked for, and its memory outlasts a kill`() async throws {
        let scratch = try Scratch()
        let first = try await daemon(scratch)
        let client = try LineSocket(first.socket)
        let document = try client.call("rpc.discover")
        for name in ["metronome.reset", "metronome.beats", "beat"] { #expect(document.contains("\"name\":\"\(name)\""), "\(name)") }
        #expect(try client.call("feed.scroll", #"{"index":1}"#).contains("because the experience is metronome"))
        #expect(try client.call("param.set", #"{"name":"metronome-accent","value":2}"#).contains("result"))
        let reset = try client.call("metronome.reset", #"{"from":6}"#)
        #expect(reset.contains(#""result":{"beats":6}"#), "\(reset)")
        #expect(try await eventually { try total(client) >= 3 })
        #expect(try client.call("session.end").contains("frame"))
        let before = try total(client)
        // What the run remembered is on the disk a moment after it ended.
        let journal = try #require(first.journals.first)
        #expect(try await eventually { try String(contentsOfFile: journal, encoding: .utf8).contains(#""end":"request""#) })
        try await Task.sleep(for: .milliseconds(200))
        first.kill()

        var scan = try JournalScan(FilePath(journal))
        var due: [Int64] = []
        while let entry = try scan.next() {
            if case .event(let event, let frame, let asked, _) = entry, case .tick = event.kind { due.append((asked ?? frame).rawValue) }
        }
        #expect(due.count >= 3 && due == (1...Int64(due.count)).map { $0 * 48_000 }, "\(due)")
        // Its cues are those of the journal, by the rules and without them.
        let pieces = Registry.pieces + [Metronome.self]
        var by = try Replay(FilePath(journal), by: .same, pieces)
        var without = try Replay(FilePath(journal), by: .recorded, [])
        while let cues = try by.step() { #expect(try without.step() == cues) }

        let second = try await daemon(scratch)
        #expect(try total(try LineSocket(second.socket)) == before)
        #expect(second.terminate() == 0)
    }
}
