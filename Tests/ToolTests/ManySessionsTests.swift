import ArgumentParser
import Foundation
import Journal
import Registry
import Signals
import SystemPackage
import Testing
import TestSupport
@testable import Tool
import Units

/// Commands that take many sessions, of which some cannot be read.
@Suite struct ManySessionsTests {
    private let scratch: Scratch
    private let good: String

    init() throws {
        scratch = try Scratch()
        let header = JournalHeader(sampleRate: .standard, seed: 1, experience: "direct", started: "then", theme: .standard)
        let entries: [JournalEntry] = [
            .header(header), .event(Event(client: .connection(1), .chime(name: "ding")), at: .zero), .end(.idle, at: Frame(24_000)),
        ]
        good = try scratch.write(entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined(), to: "good.jsonl")
    }

    /// The status that the command line ends with, its first word being the command.
    private func status(_ words: String...) throws -> ExitCode { try status(words) }

    private func status(_ words: [String]) throws -> ExitCode {
        Pieces.$current.withValue(Pieces(Registry.pieces)) {
            do {
                var command = try Thrum.parseAsRoot(words)
                try command.run()
                return .success
            } catch {
                return Thrum.exitCode(for: error)
            }
        }
    }

    private func made(in folder: String) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder).sorted() }

    @Test(arguments: ["render", "picture", "measure", "verify", "sessions show", "telemetry show", "telemetry export"])
    func `a folder is no session, and an empty file is none, for any command`(words: String) throws {
        let empty = try scratch.write("", to: "empty.jsonl")
        let command = words.split(separator: " ").map(String.init)
        #expect(try status(command + [scratch.path]) == Exit.noInput)
        #expect(try status(command + [empty]) == Exit.data)
        guard ["render", "picture"].contains(words) else { return }
        #expect(try status(command + [scratch.path, "--into", scratch.file("made")]) == Exit.noInput)
        #expect(try status(command + [empty, good, "--into", scratch.file("made")]) == Exit.data)
        #expect(try made(in: scratch.file("made")).count == 1)
    }

    @Test(arguments: ["render", "picture", "measure", "verify", "sessions show", "telemetry show", "telemetry export"])
    func `a journal that is cut in its header is no session, for any command`(words: String) throws {
        let header = try String(contentsOfFile: good, encoding: .utf8)
        for (index, count) in [1, 30, 200].enumerated() {
            let cut = try scratch.write(String(header.prefix(count)), to: "cut\(index).jsonl")
            #expect(try status(words.split(separator: " ").map(String.init) + [cut]) == Exit.data, "\(count) bytes")
            let entry = SessionEntry(FilePath(cut), bytes: Int64(count))
            #expect(entry.session == nil && entry.damage.first?.hasPrefix("line 1: expected the whole header") == true, "\(entry.damage)")
        }
        #expect(try made(in: scratch.path).allSatisfy { $0.hasSuffix(".jsonl") })
    }

    @Test func `pictures in a folder are of the format that is asked for`() throws {
        let into = scratch.file("pictures")
        #expect(try status("picture", good, "--into", into, "--format", "png") == .success)
        #expect(try made(in: into) == ["good.png"])
        // ISO/IEC 15948: the signature.
        #expect(FileManager.default.contents(atPath: into + "/good.png")?.prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        #expect(try status("picture", good, "-o", scratch.file("a.svg"), "--format", "png") == .validationFailure)
    }

    @Test(arguments: [("picture", ".svg"), ("render", ".wav")])
    func `a session that is not there or is none does not keep the others from being made`(command: String, ending: String) throws {
        let broken = try scratch.write("no journal\n", to: "broken.jsonl")
        let other = try scratch.write(try String(contentsOfFile: good, encoding: .utf8), to: "other.jsonl")
        let into = scratch.file("made")
        let none = "no-such-session"
        #expect(try status(command, none, good, other, "--sessions", scratch.path, "--into", into) == Exit.noInput)
        #expect(try made(in: into) == ["good" + ending, "other" + ending])
        // What is wrong with a session that is there goes first.
        let again = scratch.file("again")
        #expect(try status(command, none, broken, good, scratch.file("away.jsonl"), "--sessions", scratch.path, "--into", again) == Exit.data)
        #expect(try made(in: again) == ["good" + ending])
        #expect(try status(command, good, "--into", again) == .success)
    }

    @Test(arguments: [("flac", "fLaC"), ("ogg", "OggS"), ("opus", "OggS"), ("wav", "RIFF")])
    func `sessions are rendered into files of the kind that is asked for`(format: String, beginning: String) throws {
        let into = scratch.file("made")
        #expect(try status("render", good, "--into", into, "--format", format) == .success)
        #expect(try made(in: into) == ["good." + format])
        // As RFC 9639, RFC 3533 and RIFF have it.
        #expect(FileManager.default.contents(atPath: into + "/good." + format)?.prefix(4) == Data(beginning.utf8))
        // One alone, too.
        #expect(try status("render", good, "--format", format) == .success)
        #expect(FileManager.default.fileExists(atPath: scratch.file("good." + format)))
    }

    @Test func `a kind of file that nobody knows is refused with those that there are, and beside a name that says it`() throws {
        #expect(try status("render", good, "--format", "mp3") == .validationFailure)
        #expect(try status("render", good, "--format", "flac", "-o", scratch.file("a.wav")) == .validationFailure)
        #expect(try status("render", good, "--format", "flac", "--bits", "float") == .validationFailure)
        let error = #expect(throws: (any Error).self) { try Thrum.parseAsRoot(["render", good, "--format", "mp3"]) }
        let message = Thrum.message(for: try #require(error))
        #expect(["wav", "flac", "ogg", "opus", "mp3"].allSatisfy(message.contains), "\(message)")
    }

    @Test func `telemetry is of the piece of the sessions, and where they are of several, one is asked for`() throws {
        func simulated(_ piece: String) throws -> String {
            let path = scratch.file(piece + ".jsonl")
            #expect(try status("simulate", "--experience", piece, "--turns", "4", "-o", path) == .success)
            return path
        }
        let (feed, kitty, pet) = (try simulated("colorscroller"), try simulated("scrollkitty"), try simulated("unhooked"))
        /// The first line of the table.
        func heading(_ words: String...) throws -> String? {
            let table = scratch.file("table.csv")
            guard try status(["telemetry", "export"] + words + ["--force", "-o", table]) == .success else { return nil }
            return try String(contentsOfFile: table, encoding: .utf8).split(separator: "\r\n").first.map(String.init)
        }
        for (piece, path) in [("colorscroller", feed), ("scrollkitty", kitty), ("unhooked", pet)] {
            let own = try #require(try heading(path))
            #expect(try own == heading("--experience", piece, path) && heading(path, good) == own, "\(piece)")
        }
        #expect(try heading(feed) != heading(kitty))
        #expect(try status(["telemetry", "export", feed, kitty, "-o", scratch.file("both.csv")]) == .validationFailure)
        #expect(try heading("--experience", "colorscroller", feed, kitty) == heading(feed), "the other is left out, as was asked for")
        // None of these has telemetry.
        #expect(try status(["telemetry", "export", good, scratch.file("none.jsonl"), "-o", scratch.file("both.csv")]) == Exit.data)
        #expect(!FileManager.default.fileExists(atPath: scratch.file("both.csv")))
    }
}
