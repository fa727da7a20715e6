import Foundation
import Testing
import TestSupport

@Suite struct VerifyTests {
    @Test func `verify says of each journal how it is`() throws {
        let scratch = try Scratch()
        let good = scratch.file("good.jsonl")
        #expect(try thrum("simulate", "--swipes", "5", "-o", good).status == 0)
        let lines = try String(contentsOfFile: good, encoding: .utf8).split(separator: "\n").map(String.init)
        func write(_ lines: [String], _ name: String) throws -> String { try scratch.write(lines.joined(separator: "\n") + "\n", to: name) }
        var edited = lines
        edited[4] = lines[4].replacing("\"event\":\"touch\"", with: "\"event\":\"tap\",\"x\":1.0")
        let files = [good, try write(Array(lines[..<6]), "cut.jsonl"), try write(lines.map { $0.replacing(/,"sum":"........"/, with: "") }, "bare.jsonl"),
                     try write(Array(lines[..<3]) + lines[4...], "removed.jsonl"), try scratch.write("my notes\n", to: "notes.jsonl"),
                     scratch.file("none.jsonl")]
        let unsigned = "  not signed\n  cues as the rules of colorscroller, version 4, give them"
        let finished = try run(Programs.thrum, ["verify"] + files)
        #expect(finished.text == """
            \(files[0]): good, lines: \(lines.count)
            \(unsigned)
            \(files[1]): good so far, cut off at line 6
            \(unsigned)
            \(files[2]): no sums, lines: \(lines.count)
            \(unsigned)
            \(files[3]): changed at line 4 or above it
            \(files[4]): unreadable: line 1: expected one JSON object, found something else
            \(files[5]): unreadable: No such file or directory\n
            """)
        #expect(finished.status == 66)
        #expect(try run(Programs.thrum, ["verify"] + files.dropLast()).status == 65)
        #expect(try run(Programs.thrum, ["verify", good, good]).status == 0)
        #expect(try thrum("verify", "--help").text.contains("thrum verify /var/lib/thrum/sessions/*.jsonl"))
    }

    @Test func `a session of thrumd is signed by its box, and what was changed is found whoever computes the sums anew`() async throws {
        let scratch = try Scratch()
        let knock = (0..<4_800).map { Float($0 % 100) / 200 }
        _ = try Self.writeWave(knock, to: scratch.file("knock.wav"))
        _ = try scratch.write(#"{"Pattern":[{"Event":{"EventType":"AudioCustom","Time":0,"EventWaveformPath":"knock.wav"}}]}"#, to: "knock.ahap")
        let daemon = try await Daemon(["--output", "null", "--patterns", scratch.path, "--seed", "4"], scratch: scratch)
        let client = try LineSocket(daemon.socket)
        _ = try client.call("touch", #"{"phase":"began"}"#)
        _ = try client.call("haptic.play", #"{"name":"knock"}"#)
        _ = try client.call("chime.play", #"{"name":"ding"}"#)
        _ = try client.call("touch", #"{"phase":"ended"}"#)
        let fingerprint = try thrum("sessions", "key", "--fingerprint", "--socket", daemon.socket).text.trimmingCharacters(in: .newlines)
        let pem = try scratch.write(thrum("sessions", "key", "--socket", daemon.socket).text, to: "box.pem")
        #expect((try daemon.status()["journalKey"] as? [String: String])?["fingerprint"] == fingerprint)
        #expect(daemon.terminate() == 0)
        let journal = try #require(daemon.journals.first)
        for key in [pem, fingerprint] {
            let good = try thrum("verify", "--key", key, journal)
            #expect(good.status == 0, "\(good.text)\(good.errors)")
            for words in ["signed by the box \(fingerprint), all of it", "cues as the rules of direct", "sound files as they were played: 1"] {
                #expect(good.text.contains(words), "\(good.text)")
            }
        }
        let stranger = String(repeating: "0", count: 64)
        let other = try thrum("verify", "--key", stranger, journal)
        #expect(other.status == 65 && other.text.contains("expected the box \(stranger)"), "\(other.text)")
        // The sound is tied to its journal.
        let sound = scratch.file("a.wav")
        #expect(try thrum("render", journal, "-o", sound, "--bits", "float").status == 0)
        let same = try thrum("verify", "--sound", sound, journal)
        #expect(same.status == 0 && same.text.contains("\(sound): the session's sound, bit for bit"), "\(same.text)")
        // A cue is changed, and the sums are computed anew.
        let script = """
            import re, sys, zlib
            data = b''
            for line in open(sys.argv[1], 'rb'):
                line = line.replace(b'{"cue":"chime","name":"ding"}', b'{"cue":"chime","name":"unlock"}')
                if sys.argv[3] == 'bare':
                    line = re.sub(rb'"signed":\\{.*?\\}(\\})?,(?="started")', b'', re.sub(rb',"signature":"[0-9a-f]*"', b'', line))
                    if line.startswith(b'{"checkpoint"'):
                        continue
                data += line[:line.rindex(b',"sum":"')]
                data += b',"sum":"%08x"}\\n' % zlib.crc32(data)
            open(sys.argv[2], 'wb').write(data)
            """
        let forged = scratch.file("forged.jsonl")
        #expect(try run("python3", ["-c", script, journal, forged, "signed"]).status == 0)
        let found = try thrum("verify", forged)
        #expect(found.status == 65 && found.text.contains("changed in lines"), "\(found.text)")
        // So it is where all that signs it was taken out.
        #expect(try run("python3", ["-c", script, journal, forged, "bare"]).status == 0)
        let bare = try thrum("verify", forged)
        #expect(bare.status == 65 && bare.text.contains("not signed") && bare.text.contains("the rules give other cues"), "\(bare.text)")
        let unlike = try thrum("verify", "--sound", sound, forged)
        #expect(unlike.status == 65 && unlike.text.contains("not the session's sound: first different at frame "), "\(unlike.text)")
        // A sound file is replaced.
        _ = try Self.writeWave(knock.reversed(), to: scratch.file("knock.wav"))
        let replaced = try thrum("verify", journal)
        #expect(replaced.status == 65 && replaced.text.contains("the sound file \(scratch.file("knock.wav")) is not the one that was played"), "\(replaced.text)")
    }

    private static func writeWave(_ samples: [Float], to path: String) throws {
        let bytes = samples.map { Int16($0 * 32_767) }.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
        func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        let format = number(1, 2) + number(1, 2) + number(48_000, 4) + number(96_000, 4) + number(2, 2) + number(16, 2)
        let chunks = Array("WAVEfmt ".utf8) + number(16, 4) + format + Array("data".utf8) + number(bytes.count, 4) + bytes
        try Data(Array("RIFF".utf8) + number(chunks.count, 4) + chunks).write(to: URL(fileURLWithPath: path))
    }

    @Test func `a journal whose beginning is missing is played with a warning that says so, and verify names it`() throws {
        let scratch = try Scratch()
        let good = scratch.file("good.jsonl")
        #expect(try thrum("simulate", "--swipes", "5", "-o", good).status == 0)
        let lines = try String(contentsOfFile: good, encoding: .utf8).split(separator: "\n").map(String.init)
        let rest = lines[(lines.count / 2)...]
        let frame = try #require(rest.first?.firstMatch(of: /"frame":([0-9]+)/)?.1)
        let seconds = (Double(frame) ?? 0) / 48_000
        let missing = "the beginning is missing, all before " + String(format: "%d:%06.3f", Int(seconds) / 60, seconds.truncatingRemainder(dividingBy: 60))
        let path = try scratch.write(([lines[0]] + rest).joined(separator: "\n") + "\n", to: "late.jsonl")
        for words in [["render", path], ["picture", path], ["sessions", "show", path]] {
            let finished = try run(Programs.thrum, words)
            #expect(finished.status == 0 && finished.errors.hasPrefix("thrum: \(path):2: warning: \(missing); what was set"), "\(finished.errors)")
        }
        let verified = try thrum("verify", path)
        #expect(verified.status == 65 && verified.text.hasPrefix("\(path): changed: the beginning is missing, all before"), "\(verified.text)")
        let headless = try scratch.write(rest.joined(separator: "\n") + "\n", to: "headless.jsonl")
        let refused = try thrum("render", headless)
        #expect(refused.status == 65 && refused.errors.contains(":1: expected the header"), "\(refused.errors)")
    }

    @Test func `a journal that was changed is played all the same, with a warning that names the line`() throws {
        let scratch = try Scratch()
        let good = scratch.file("good.jsonl")
        #expect(try thrum("simulate", "--swipes", "5", "-o", good).status == 0)
        let text = try String(contentsOfFile: good, encoding: .utf8)
        var lines = text.split(separator: "\n").map(String.init)
        // A colour of its own for no card: the seed is another.
        lines[0] = lines[0].replacing("\"seed\":1", with: "\"seed\":2")
        let path = try scratch.write(lines.joined(separator: "\n") + "\n", to: "changed.jsonl")
        let warning = "thrum: \(path):1: warning: the journal was changed here or above, by its sums; taken as it is\n"
        for words in [["render", path], ["picture", path], ["sessions", "show", path], ["telemetry", "export", path], ["telemetry", "show", path]] {
            let finished = try run(Programs.thrum, words)
            #expect(finished.status == 0 && finished.errors == warning, "\(words): \(finished.errors)")
        }
        let bare = try scratch.write(text.replacing(/,"sum":"........"/, with: ""), to: "bare.jsonl")
        #expect(try thrum("render", bare).errors.isEmpty, "without sums nothing is known, as of old journals")
        #expect(try thrum("render", good, "-o", scratch.file("same.wav")).status == 0)
        #expect(try run("cmp", [scratch.file("same.wav"), scratch.file("bare.wav")]).status == 0)
    }
}
