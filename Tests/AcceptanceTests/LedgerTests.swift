import Foundation
import Testing
import TestSupport

/// What a piece has kept in mid-visit, in a real daemon that is killed, or whose disk is full.
@Suite(.serialized) struct LedgerTests {
    private func start(_ scratch: Scratch, state: String) async throws -> Daemon {
        try await Daemon(["--output", "null", "--experience", "metronome", "--seed", "3"], environment: ["STATE_DIRECTORY": state],
                         scratch: scratch, program: Programs.metronomed)
    }

    private struct Stored: Decodable {
        var keys: [String]
        var resets: Int
    }

    /// As another program reads it, in one transaction.
    private func read(_ state: String) throws -> Stored {
        let query = """
            import json, sqlite3, sys
            c = sqlite3.connect(sys.argv[1])
            keys, memory = c.execute("SELECT (SELECT json_group_array(key) FROM (SELECT key FROM ledger ORDER BY number)), (SELECT body FROM memory)").fetchone()
            print(json.dumps({"keys": json.loads(keys), "resets": json.loads(memory)["resets"]}))
            """
        let finished = try run("/usr/bin/python3", ["-c", query, state + "/state.sqlite"])
        return try JSONDecoder().decode(Stored.self, from: Data(finished.output))
    }

    /// The metronome makes each key of what it remembers: one that were forgotten would be there already.
    @Test func `what was answered in mid-visit is there after a kill, with the memory that belongs to it, and nothing twice`() async throws {
        let scratch = try Scratch()
        let state = scratch.file("state")
        var random = SplitMix64(seed: 21)
        var known = 0
        for round in 0..<5 {
            let daemon = try await start(scratch, state: state)
            let client = try LineSocket(daemon.socket)
            let answered = Int.random(in: 1...8, using: &random)
            for _ in 0..<answered {
                let answer = try client.call("metronome.reset")
                #expect(answer.contains(#""result":{"beats":0}"#) && !answer.contains("Kept"), "\(answer)")
            }
            // And one whose answer nobody has.
            let isAskedAgain = round % 2 == 0
            if isAskedAgain { try client.send(Array((#"{"jsonrpc":"2.0","id":99,"method":"metronome.reset"}"# + "\n").utf8)) }
            daemon.kill()
            let stored = try read(state)
            #expect(stored.keys == (1...stored.keys.count).map { "reset-\($0)" }, "round \(round)")
            #expect(stored.resets == stored.keys.count, "round \(round): memory and ledger are one commit")
            #expect((known + answered...known + answered + (isAskedAgain ? 1 : 0)).contains(stored.keys.count), "round \(round)")
            known = stored.keys.count
        }
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "file systems may not be mounted here"))
    func `what a full disk does not take is answered as not kept, and is there after a kill once there was room`() async throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(in: scratch)
        let state = disk.file("state")
        let daemon = try await start(scratch, state: state)
        let client = try LineSocket(daemon.socket)
        func issues() throws -> String { (try daemon.status()["issues"] as? [String] ?? []).joined(separator: "; ") }
        #expect(try !client.call("metronome.reset").contains("notKept"))
        disk.fill()
        // A WAL that is long enough takes some more.
        var resets = 1
        var answer = ""
        repeat {
            answer = try client.call("metronome.reset")
            resets += 1
        } while !answer.contains("notKept") && resets < 1_000
        #expect(answer.contains(#""notKept":""#) && answer.contains("full") && answer.contains(#""result":{"beats":0}"#), "\(answer)")
        #expect(try issues().contains("what is to outlast a restart cannot be kept"))
        try disk.makeRoom()
        // Somebody else's commit brings it along.
        #expect(try client.call("preset.set", #"{"name":"quiet-day"}"#).contains(#""result":{}"#))
        let left = try issues()
        // The settings in use are kept some time after the start. Where the disk was full by then, that is tried again after ten seconds.
        #expect(!left.contains("what is to outlast a restart cannot be kept"), "\(left)")
        daemon.kill()
        let stored = try read(state)
        #expect(stored.keys == (1...resets).map { "reset-\($0)" } && stored.resets == resets)
    }
}
