import Foundation
import Testing
import TestSupport

/// A disk of 1 MiB that fills up, is read-only, and comes back.
@Suite(.serialized, .enabled(if: SmallDisk.isAllowed, "file systems may not be mounted here")) struct DiskTests {
    private struct Line: Decodable {
        var frame: Int?
        var event: String?
        var phase: String?
        var x: Double?
        var discontinuity: String?
        var entries: Int?
        var end: String?

        /// Which of the moves it is, from 0; nil when it is none.
        var move: Int? { phase == "moved" ? x.map { Int(($0 * 1e6).rounded()) } : nil }
    }

    private func lines(_ journal: String) throws -> [Line] {
        let text = try String(contentsOfFile: journal, encoding: .utf8)
        #expect(text.hasSuffix("}\n"))
        return try text.split(separator: "\n").dropFirst().map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
            // What a busy machine may have had heard late.
            .filter { $0.discontinuity == nil || $0.discontinuity == "lost" }
    }

    private func issues(_ daemon: Daemon) throws -> String {
        (try daemon.status()["issues"] as? [String] ?? []).joined(separator: "; ")
    }

    /// Moves of the finger that is down, which change no sound; those of `numbers` are told apart by x.
    private func move(_ numbers: Range<Int>, _ client: LineSocket) throws {
        for start in stride(from: numbers.lowerBound, to: numbers.upperBound, by: 500) {
            func parameters(_ number: Int) -> String { #"{"phase":"moved","x":\#(Double(number) / 1e6),"y":0.5}"# }
            let last = min(start + 500, numbers.upperBound) - 1
            let lines = (start..<last).map { #"{"jsonrpc":"2.0","method":"touch","params":\#(parameters($0))}"# + "\n" }
            try client.send(Array(lines.joined().utf8))
            // It is answered when all have taken effect: with more on their way some could be refused.
            #expect(try client.call("touch", parameters(last)).contains("frame"))
        }
    }

    @Test func `a disk that fills up while a tone is held is not heard, and the journal goes on and marks what is missing`() async throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(in: scratch)
        let pulse = try await PrivatePulse(in: scratch.path)
        let daemon = try await Daemon(["--sessions", disk.file("sessions")], environment: pulse.environment)
        #expect(try await eventually { try daemon.outputState() == "connected" })
        let recording = try pulse.record(to: scratch.file("heard.raw"))
        try await Task.sleep(for: .milliseconds(500))
        let client = try LineSocket(daemon.socket)
        _ = try client.call("tone", #"{"frequency":400,"level":-12}"#)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        try move(0..<100, client)
        disk.fill()
        // More than can wait.
        let moves = 30_000
        try move(100..<moves, client)
        #expect(try issues(daemon).contains("No space left on device"))
        #expect(try issues(daemon).contains("journal entries are lost"))
        #expect(try daemon.isHeld)
        try disk.makeRoom()
        // What waits needs more than 1 MiB.
        try disk.makeRoom(megabytes: 8)
        #expect(try await eventually { try !issues(daemon).contains("No space left") })
        // Half of what waits must be written before more is taken.
        let journal = try #require((try daemon.status()["session"] as? [String: Any])?["journal"] as? String)
        #expect(try await eventually { try String(contentsOfFile: journal, encoding: .utf8).contains(#""discontinuity":"lost""#) })
        try move(moves..<(moves + 100), client)
        _ = try client.call("touch", #"{"phase":"ended"}"#)
        try await Task.sleep(for: .milliseconds(500))
        recording.signal(SIGINT)
        _ = recording.finish()
        #expect((try daemon.status()["output"] as? [String: Any])?["underruns"] as? Int == 0)
        #expect(daemon.terminate() == 0)
        pulse.kill()

        let heard = try rawFloats(scratch.file("heard.raw"))
        let first = try #require(heard.firstIndex { $0.magnitude > 0.1 })
        let last = try #require(heard.lastIndex { $0.magnitude > 0.1 })
        let held = heard[(first + 4_800)..<(last - 4_800)]
        #expect(held.count > 48_000)
        #expect(strays(held) < 1e-6)

        let lines = try lines(journal)
        let gap = try #require(lines.firstIndex { $0.discontinuity == "lost" })
        let kept = lines[..<gap].compactMap(\.move)
        let missing = try #require(lines[gap].entries)
        #expect(kept == Array(0..<kept.count) && kept.count > 16_000, "nothing before it is lost")
        #expect(missing == moves - kept.count)
        #expect(lines[(gap + 1)...].compactMap(\.move) == Array(moves..<(moves + 100)))
        #expect(lines[(gap + 1)...].suffix(3).map { $0.phase ?? $0.event ?? $0.end } == ["ended", "stop", "shutdown"])
        #expect(lines.count { $0.discontinuity == "lost" } == 1)
        let rendered = try thrum("render", journal, "-o", scratch.file("a.wav"))
        #expect(rendered.status == 0 && rendered.errors.contains("warning: \(missing) entries are missing"), "\(rendered.errors)")
        #expect(try thrum("sessions", "show", journal).text.contains("missing     \(missing) entries"))
    }

    /// How far from one sine of 400 Hz the samples stray: for a sine, x[n−1] + x[n+1] = 2 cos ω · x[n].
    private func strays(_ samples: ArraySlice<Float>) -> Double {
        let twoCos = 2 * cos(2 * Double.pi * 400 / 48_000)
        return samples.indices.dropFirst().dropLast().reduce(0) { worst, n in
            max(worst, abs(Double(samples[n - 1]) + Double(samples[n + 1]) - twoCos * Double(samples[n])))
        }
    }

    @Test func `a disk that is read-only costs no session that ends when it is not any more`() async throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(in: scratch)
        try disk.set(readOnly: true)
        let daemon = try await Daemon(["--output", "null", "--sessions", disk.file("sessions")])
        #expect(try await eventually { try issues(daemon).contains("Read-only file system") })
        let client = try LineSocket(daemon.socket)
        #expect(try client.call("touch", #"{"phase":"began"}"#).contains(#""frame":0"#))
        try move(0..<1_000, client)
        try disk.set(readOnly: false)
        #expect(try await eventually { try issues(daemon).isEmpty })
        #expect(try client.call("touch", #"{"phase":"ended"}"#).contains("frame"))
        #expect(daemon.terminate() == 0)
        let folder = disk.file("sessions")
        let journals = try FileManager.default.contentsOfDirectory(atPath: folder)
        try #require(journals.count == 1, "\(journals)")
        let lines = try lines(folder + "/" + journals[0])
        #expect(lines.compactMap(\.move) == Array(0..<1_000))
        #expect(lines.last?.end == "shutdown" && lines.allSatisfy { $0.discontinuity != "lost" })
    }

    @Test func `a disk that stays full does not keep thrumd from ending, and leaves whole lines`() async throws {
        let scratch = try Scratch()
        let disk = try SmallDisk(in: scratch)
        let daemon = try await Daemon(["--output", "null", "--sessions", disk.file("sessions")])
        let client = try LineSocket(daemon.socket)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        let folder = disk.file("sessions")
        // Before its first line a journal is none yet, and does not stay.
        #expect(try await eventually {
            let journal = try FileManager.default.contentsOfDirectory(atPath: folder).first
            return try journal.map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8).contains(#""phase":"began""#) } ?? false
        })
        disk.fill()
        try move(0..<1_000, client)
        #expect(daemon.terminate() == 0)
        #expect(daemon.process.errors.contains("the disk does not take what is left of the journal"))
        let journal = folder + "/" + (try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first))
        let kept = try lines(journal).compactMap(\.move)
        #expect(kept == Array(0..<kept.count) && kept.count < 1_000)
        let rendered = try thrum("render", journal, "-o", scratch.file("a.wav"))
        #expect(rendered.status == 0 && rendered.errors.contains("cut off"))
    }
}
