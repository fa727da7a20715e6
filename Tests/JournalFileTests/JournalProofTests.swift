import Foundation
import Journal
@testable import JournalFile
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

@Suite struct JournalProofTests {
    private static let newline = UInt8(ascii: "\n")
    private let scratch: Scratch
    private let key: JournalKey

    init() throws {
        scratch = try Scratch()
        key = try JournalKey(in: FilePath(scratch.file("state")))
    }

    private var header: JournalHeader {
        let theme = Theme(name: "t", toneCurve: .standard, toneFade: .milliseconds(5), ceiling: Decibels(-1), chimes: [:], haptics: [:])
        let digest = String(repeating: "ab", count: 32)
        return JournalHeader(
            sampleRate: .standard, seed: 7, experience: "direct", started: "2026-01-02T03:04:05Z", theme: theme,
            rules: JournalHeader.Rules(version: 1, opening: []),
            signed: JournalProvenance(box: key.publicKey.fingerprint, key: Hexadecimal.text(key.publicKey.bytes), theme: digest,
                                      sounds: ["/sounds/knock.wav": digest]))
    }

    /// Thirteen lines: a header, four events, a checkpoint at line 6, five events, a stop, and the end.
    private func journal() throws -> [[UInt8]] {
        var writer = try JournalWriter(directory: FilePath(scratch.file("sessions")), header: header, key: key)
        // What cannot be copied is none of the macro's business.
        var isUnsigned = [writer.isUnsigned]
        func mark(_ number: Int) -> JournalEntry { .event(Event(client: .connection(1), .mark("n\(number)")), at: Frame(Int64(number)), cues: []) }
        for number in 1...4 { try writer.append(mark(number)) }
        try writer.append(.checkpoint(sounds: ["/sounds/later.wav": String(repeating: "cd", count: 32)], at: Frame(4)))
        isUnsigned.append(writer.isUnsigned)
        for number in 5...9 { try writer.append(mark(number)) }
        isUnsigned.append(writer.isUnsigned)
        #expect(isUnsigned == [true, false, true])
        try writer.append(.event(Event(client: .engine, .stop), at: Frame(1_000)))
        try writer.append(.end(.idle, at: Frame(1_480)))
        return try Self.lines(Data(contentsOf: URL(fileURLWithPath: writer.path.string)))
    }

    private static func lines(_ data: Data) -> [[UInt8]] { data.split(separator: newline).map(Array.init) }

    /// With sums computed anew, as whoever forges a journal would.
    private func proof(_ lines: [[UInt8]]) throws -> (check: JournalCheck, proof: JournalProof) {
        var sum = JournalSum()
        let sealed = lines.flatMap { line in
            let bare = String(decoding: line, as: UTF8.self).replacing(/,"sum":"[0-9a-f]{8}"}$/, with: "}")
            return sum.seal(Array(bare.utf8) + [Self.newline])
        }
        let path = scratch.file("tried.jsonl")
        try Data(sealed).write(to: URL(fileURLWithPath: path))
        let proof = JournalProof()
        return (try JournalCheck(FilePath(path), proof: proof), proof)
    }

    @Test func `a signature is that of OpenSSL for the digest of all before it, and the fingerprint is that of the key in DER`() throws {
        let lines = try journal()
        let path = scratch.file("a.jsonl")
        try Data(lines.flatMap { $0 + [Self.newline] }).write(to: URL(fileURLWithPath: path))
        let pem = try scratch.write(key.publicKey.pem, to: "public.pem")
        let script = """
            import hashlib, re, subprocess, sys
            data, pem, found = open(sys.argv[1], 'rb').read(), sys.argv[2], 0
            for match in re.finditer(rb',"signature":"([0-9a-f]{128})","sum":"[0-9a-f]{8}"}\\n', data):
                open(sys.argv[3] + '.d', 'wb').write(hashlib.sha256(data[:match.start()]).digest())
                open(sys.argv[3] + '.s', 'wb').write(bytes.fromhex(match[1].decode()))
                subprocess.run(['openssl', 'pkeyutl', '-verify', '-pubin', '-inkey', pem, '-rawin', '-in', sys.argv[3] + '.d',
                                '-sigfile', sys.argv[3] + '.s'], check=True, stdout=subprocess.DEVNULL)
                found += 1
            der = subprocess.run(['openssl', 'pkey', '-pubin', '-in', pem, '-outform', 'DER'], check=True, capture_output=True).stdout
            print(found, hashlib.sha256(der).hexdigest())
            """
        let finished = try run("python3", ["-c", script, path, pem, scratch.file("part")])
        #expect(finished.text == "2 \(key.publicKey.fingerprint)\n", "\(finished.errors)")
        #expect(JournalPublicKey(pem: Array(key.publicKey.pem.utf8)) == key.publicKey)
        #expect(JournalPublicKey(pem: Array("-----BEGIN PUBLIC KEY-----\nMA==\n-----END PUBLIC KEY-----\n".utf8)) == nil)
    }

    @Test func `a whole journal is proven to its end, and names every sound file`() throws {
        let (check, proof) = try proof(journal())
        #expect(check == .good(lines: 13) && proof.provenLine == 13 && proof.wrongLine == nil && proof.key == key.publicKey)
        #expect(proof.sounds.keys.sorted() == ["/sounds/knock.wav", "/sounds/later.wav"])
    }

    @Test func `a line that was changed, removed, added or moved is found though all sums are right`() throws {
        let good = try journal()
        for index in 1..<11 where index != 5 {
            let isEarly = index < 5
            for kind in 0..<4 {
                var lines = good
                switch kind {
                case 0: lines[index] = Array(String(decoding: lines[index], as: UTF8.self).replacing("\"client\":1", with: "\"client\":2").utf8)
                case 1: lines.remove(at: index)
                case 2: lines.insert(lines[index], at: index)
                default: lines[index] = Array(String(decoding: lines[index], as: UTF8.self).replacing("\"event\":\"journal.mark\"", with: "\"event\":\"journal.mark\",\"cues\":[{\"cue\":\"chime\",\"name\":\"ding\"}]").utf8)
                }
                guard lines != good else { Issue.record("line \(index) was not changed"); continue }
                let (check, proof) = try proof(lines)
                guard case .good = check else { Issue.record("\(check) by its sums: \(index), \(kind)"); continue }
                #expect(proof.wrongLine != nil && proof.provenLine == (isEarly ? 0 : 6), "line \(index + 1), change \(kind)")
            }
        }
        // A header of another session, theme or box is one more change.
        var other = good
        other[0] = Array(String(decoding: good[0], as: UTF8.self).replacing("\"seed\":7", with: "\"seed\":8").utf8)
        #expect(try proof(other).proof.wrongLine == 6)
        other[0] = Array(String(decoding: good[0], as: UTF8.self).replacing(/"signed":\{.*?\},(?="started")/, with: "").utf8)
        #expect(other[0].count < good[0].count)
        #expect(try proof(other).proof.wrongLine == 6, "a journal that has signatures names its key")
    }

    @Test func `what follows the last signature is not proven, and an end that somebody else wrote is wrong`() throws {
        let good = try journal()
        let (check, cut) = try proof(Array(good[..<8]))
        #expect(check == .cut(line: 8) && cut.provenLine == 6 && cut.wrongLine == nil)
        let end = Array(#"{"end":"idle","frame":1480}"#.utf8)
        let forged = try proof(Array(good[..<6]) + [end])
        #expect(forged.check == .good(lines: 7) && forged.proof.provenLine == 6 && forged.proof.wrongLine == 7)
        // The right signature of another journal.
        let borrowed = try proof(Array(good[..<6]) + [good[12]])
        #expect(borrowed.proof.wrongLine == 7)
    }

    @Test func `another box's journal says so: its key has another fingerprint, and no key signs for another`() throws {
        let other = try JournalKey(in: FilePath(scratch.file("other")))
        #expect(other.publicKey.fingerprint != key.publicKey.fingerprint)
        let message = Array("all of it".utf8)
        let signature = try #require(other.signature(of: message))
        #expect(other.publicKey.verifies(signature, of: message) && !key.publicKey.verifies(signature, of: message))
        var lines = try journal()
        lines[0] = Array(String(decoding: lines[0], as: UTF8.self)
            .replacing(Hexadecimal.text(key.publicKey.bytes), with: Hexadecimal.text(other.publicKey.bytes)).utf8)
        #expect(try proof(lines).proof.wrongLine == 1)
    }

    @Test func `the key is made once, for its owner alone, and what is no key is left alone`() throws {
        let folder = scratch.file("state")
        let path = folder + "/" + JournalKey.fileName
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        #expect(try JournalKey(in: FilePath(folder)).publicKey == key.publicKey)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [JournalKey.fileName], "no draft stays")
        #expect(try run("openssl", ["pkey", "-in", path, "-pubout"]).text == key.publicKey.pem)
        try Data("my notes".utf8).write(to: URL(fileURLWithPath: path))
        #expect(throws: JournalKey.Unusable.self) { try JournalKey(in: FilePath(folder)) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "my notes")
    }
}
