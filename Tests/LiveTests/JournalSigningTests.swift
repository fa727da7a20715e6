import Foundation
import Journal
import JournalFile
import Logging
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

@testable import Live

@Suite struct JournalSigningTests {
    private let scratch: Scratch
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private let knock = String(repeating: "12", count: 32)

    private let pattern = HapticPattern(events: [], sounds: [PatternSound(time: .zero, source: .file("/sounds/knock.wav"))])

    init() throws { scratch = try Scratch() }

    private func theme(_ name: String, sound: String? = nil) -> Theme {
        var theme = Theme.standard
        theme.name = name
        if let sound { theme.haptics["knock"] = HapticPattern(events: [], sounds: [PatternSound(time: .zero, source: .file(sound))]) }
        return theme
    }

    private func event(_ frame: Int, _ kind: EventKind = .mark("here")) -> JournalEntry {
        .event(Event(client: .connection(1), kind), at: Frame(Int64(frame)), cues: [])
    }

    private func write(_ journal: inout OpenJournal, _ entry: JournalEntry) throws {
        try journal.write(JournalBacklog.Item(session: 1, entry: entry))
    }

    private func lines(_ path: FilePath) throws -> [Substring] { try String(contentsOfFile: path.string, encoding: .utf8).split(separator: "\n") }

    /// The one journal.
    private func path() throws -> FilePath { try #require(SessionFolder(FilePath(scratch.file("sessions"))).sessions().first).path }

    @Test func `a file that was replaced is named by the bytes that the theme's patterns play, and not where they differ`() throws {
        let path = "/sounds/knock.wav"
        func pattern(_ second: Double) -> HapticPattern {
            HapticPattern(events: [], sounds: [PatternSound(time: Seconds(second), source: .file(path))])
        }
        func theme(_ patterns: HapticPattern...) -> Theme {
            var theme = Theme.standard
            for (number, pattern) in patterns.enumerated() { theme.haptics["knock-\(number)"] = pattern }
            return theme
        }
        let digests = SoundDigests()
        let signing = try #require(JournalSigning.Start(in: scratch.file("state"), digests, logger: logger).signing)
        digests.learn(Array(repeating: 0x12, count: 32), of: path, in: pattern(0))
        // It was replaced, and a pattern came that plays what is there now.
        digests.learn(Array(repeating: 0x34, count: 32), of: path, in: pattern(1))
        #expect(signing.digests(of: theme(pattern(0))) == [path: knock])
        #expect(signing.digests(of: theme(pattern(1))) == [path: String(repeating: "34", count: 32)])
        #expect(signing.digests(of: theme(pattern(0), pattern(1))) == [:])
        #expect(signing.digests(of: theme(pattern(2))) == [:])
        // Read twice for one pattern, of which either reading may have come first.
        digests.learn(Array(repeating: 0x34, count: 32), of: path, in: pattern(0))
        #expect(signing.digests(of: theme(pattern(0))) == [:])
    }

    @Test func `each tenth look at the disk signs what is new, the end is signed, and sounds are named when they come into use`() throws {
        let digests = SoundDigests()
        digests.learn(Array(repeating: 0x12, count: 32), of: "/sounds/knock.wav", in: pattern)
        let signing = JournalSigning.Start(in: scratch.file("state"), digests, logger: logger)
        var journal = OpenJournal(directory: FilePath(scratch.file("sessions")), signing: signing.signing, logger: logger)
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "2026-01-02T03:04:05Z", theme: .standard,
                                   rules: JournalHeader.Rules(version: 1, opening: []))
        try write(&journal, .header(header))
        for number in 1...9 {
            try write(&journal, event(number))
            try journal.sync()
        }
        #expect(try lines(path()).count == 10, "nine looks sign nothing")
        try journal.sync()
        #expect(try lines(path()).count == 11 && lines(path())[10].hasPrefix(#"{"checkpoint":{},"frame":9,"signature":""#))
        for _ in 0..<30 { try journal.sync() }
        #expect(try lines(path()).count == 11, "nothing is new")
        try write(&journal, event(20, .theme(theme("silent"))))
        #expect(try lines(path()).count == 12)
        try write(&journal, event(21, .theme(theme("loud", sound: "/sounds/knock.wav"))))
        let named = try lines(path())
        #expect(named.count == 14 && named[13].hasPrefix(#"{"checkpoint":{"sounds":{"/sounds/knock.wav":"\#(knock)"}},"frame":21,"#), "\(named[13])")
        try write(&journal, .end(.idle, at: Frame(1_000)))
        let proof = JournalProof()
        #expect(try JournalCheck(path(), proof: proof) == .good(lines: 15))
        #expect(proof.provenLine == 15 && proof.wrongLine == nil && proof.sounds == ["/sounds/knock.wav": knock])
    }

    @Test func `the header names the box, its theme and the theme's sounds as they were read`() throws {
        let digests = SoundDigests()
        digests.learn(Array(repeating: 0x12, count: 32), of: "/sounds/knock.wav", in: pattern)
        let start = JournalSigning.Start(in: scratch.file("state"), digests, logger: logger)
        let signing = try #require(start.signing)
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "then", theme: theme("loud", sound: "/sounds/knock.wav"),
                                   rules: JournalHeader.Rules(version: 1, opening: []))
        let signed = try #require(signing.signed(header).signed)
        #expect(signed.box == signing.key.publicKey.fingerprint && signed.sounds == ["/sounds/knock.wav": knock])
        // Python finds the same digest of the theme as the line spells it.
        let line = try scratch.write(String(decoding: JournalLine.encode(.header(signing.signed(header))), as: UTF8.self), to: "header.jsonl")
        let script = """
            import hashlib, json, sys
            text = open(sys.argv[1], encoding='utf-8').read()
            start = text.index('"theme":{"ceiling"') + len('"theme":')
            value, end = json.JSONDecoder().raw_decode(text, start)
            print(hashlib.sha256(text[start:end].encode()).hexdigest())
            """
        #expect(try run("python3", ["-c", script, line]).text == signed.theme + "\n")
    }

    @Test(.enabled(if: SmallDisk.isAllowed, "file systems may not be mounted here"))
    func `a disk that is full behind a theme has its event once, and the names of its sounds behind it`() throws {
        let disk = try SmallDisk(in: Scratch())
        let digests = SoundDigests()
        digests.learn(Array(repeating: 0x12, count: 32), of: "/sounds/knock.wav", in: pattern)
        let signing = JournalSigning.Start(in: scratch.file("state"), digests, logger: logger)
        let folder = FilePath(disk.file("sessions"))
        var journal = OpenJournal(directory: folder, signing: signing.signing, logger: logger)
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "2026-01-02T03:04:05Z", theme: .standard,
                                   rules: JournalHeader.Rules(version: 1, opening: []))
        try write(&journal, .header(header))
        // So small that what is left of the file's last page may take the event alone.
        var small = theme("small")
        (small.chimes, small.haptics, small.textures) = ([:], theme("loud", sound: "/sounds/knock.wav").haptics.filter { $0.key == "knock" }, [:])
        let count = 60
        for number in 0..<count {
            disk.fill()
            small.name = "small-\(number)"
            let entry = event(number, .theme(small))
            let isTaken = (try? write(&journal, entry)) != nil
            try disk.makeRoom()
            // As the recorder tries again what was refused.
            if !isTaken { try write(&journal, entry) }
        }
        try write(&journal, .end(.idle, at: Frame(1_000)))
        let path = try #require(SessionFolder(folder).sessions().first).path
        let lines = try lines(path)
        #expect(lines.count == 2 + 2 * count, "a line of each event, and one with the names of its sounds")
        for number in 0..<count {
            #expect(lines[1 + 2 * number].contains("\"small-\(number)\""))
            #expect(lines[2 + 2 * number].hasPrefix(#"{"checkpoint":{"sounds":{"/sounds/knock.wav":"\#(knock)"}},"frame":\#(number),"#))
        }
        #expect(try JournalCheck(path, proof: JournalProof()) == .good(lines: lines.count))
    }

    @Test func `a key that is removed or replaced while thrumd runs is an issue until it is back`() async throws {
        let start = JournalSigning.Start(in: scratch.file("state"), SoundDigests(), logger: logger)
        let recorder = JournalRecorder(directory: FilePath(scratch.file("sessions")), signing: start, logger: logger)
        let (path, away) = (scratch.file("state/journal-key.pem"), scratch.file("away"))
        /// Whether a look has found this; nil for nothing.
        func finds(_ words: String?) async throws -> Bool {
            try await eventually {
                for _ in 0..<5 { recorder.sync() }
                guard let words else { return recorder.health(at: 0).keyIssue == nil }
                return recorder.health(at: 0).keyIssue?.hasPrefix("\(path) was \(words) while thrumd runs") == true
            }
        }
        #expect(try await finds(nil))
        try FileManager.default.moveItem(atPath: path, toPath: away)
        #expect(try await finds("removed"))
        _ = try JournalKey(in: FilePath(scratch.file("state")))
        #expect(try await finds("replaced by another key"))
        try Data("notes".utf8).write(to: URL(fileURLWithPath: path))
        #expect(try await finds("replaced by what is no key"))
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: away, toPath: path)
        #expect(try await finds(nil), "a copy is as good")
        await recorder.finish()
    }

    @Test func `without a key that can be used nothing is signed, and an issue says why`() throws {
        let folder = scratch.file("state")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try Data("notes".utf8).write(to: URL(fileURLWithPath: folder + "/" + JournalKey.fileName))
        let start = JournalSigning.Start(in: folder, SoundDigests(), logger: logger)
        #expect(start.signing == nil && start.issue == "journals are not signed: \(folder)/journal-key.pem: expected a private key of Ed25519 "
            + "in PEM, found something else")
        #expect(JournalSigning.Start(in: nil, SoundDigests(), logger: logger).issue == nil)
    }
}
