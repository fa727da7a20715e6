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
import Wire

/// A piece that Thrum does not have, added by its folder and a line where the pieces are listed, in a real daemon.
@Suite(.serialized) struct MetronomeDaemonTests {
    private func daemon(_ scratch: Scratch) async throws -> Daemon {
        try await Daemon(["--output", "null", "--experience", "metronome", "--seed", "3"], scratch: scratch, program: Programs.metronomed)
    }

    @Test func `it is played through OSC: its addresses are its methods' names, its arguments the parameters in their order`() async throws {
        let port = freePort()
        let daemon = try await Daemon(["--output", "null", "--experience", "metronome", "--osc", "\(port)"], program: Programs.metronomed)
        let sender = Datagrams(port: port)
        sender.send(OSCMessage("/metronome/reset", [.integer(600)]).bytes)
        sender.send(OSCMessage("/metronome/beats").bytes)
        let reply = try sender.receive()
        #expect(reply.address == "/reply" && reply.arguments.first == .text("/metronome/beats"))
        guard case .text(let json)? = reply.arguments.dropFirst().first else { Issue.record("\(reply)"); return }
        let answer = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Int]
        let beats = try #require(answer?["beats"])
        // It may have beaten since.
        #expect((600..<660).contains(beats), "\(json)")
        for (arguments, words) in [([.integer(-1)], "from: expected a whole number from 0 to 1000000, found -1"),
                                   ([OSCArgument](repeating: .integer(1), count: 4), "expected at most 3 without a name (from, at, delay)")] as [([OSCArgument], String)] {
            sender.send(OSCMessage("/metronome/reset", arguments).bytes)
            let error = try sender.receive()
            guard error.address == "/error", case .text(let found)? = error.arguments.last else { Issue.record("\(error)"); return }
            #expect(found.contains(words), "\(found)")
        }
        // What only another piece has is no address.
        sender.send(OSCMessage("/feed/scroll", [.integer(1)]).bytes)
        guard case .text(let found)? = try sender.receive().arguments.last else { Issue.record("no error"); return }
        #expect(found.contains("expected a method's address"), "\(found)")
        #expect(daemon.terminate() == 0)
        let journal = try String(contentsOfFile: try #require(daemon.journals.first), encoding: .utf8)
        let resets = journal.split(separator: "\n").filter { $0.contains(#""event":"metronome.reset""#) }
        #expect(resets.count == 1 && resets[0].contains(#""from":600"#), "\(resets)")
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
