import Foundation
import Journal
import Signals
import SoundFile
import Testing
import TestSupport
import Units

private let locked = repository + "/Tests/Fixtures/locked.jsonl"

@Suite struct RenderCommandTests {
    /// The same lock as in RenderingTests, through the program; `make test` runs this on the release build.
    @Test func `the program renders the locked bits, on every run`() throws {
        let scratch = try Scratch()
        let source = try String(contentsOfFile: repository + "/Tests/OfflineTests/RenderingTests.swift", encoding: .utf8)
        let lock = try #require(source.firstMatch(of: /lockedSamples = "([0-9a-f]{64})"/)).1
        for name in ["a.wav", "b.wav"] {
            #expect(try thrum("render", locked, "-o", scratch.file(name), "--bits", "float").status == 0)
            #expect(try sha256(try WaveFile(path: scratch.file(name)).data) == lock)
        }
    }

    @Test func `a journal cut at any byte renders up to the cut, with one warning, and one cut in its header is refused`() throws {
        let scratch = try Scratch()
        // Small, so that every byte can be tried.
        let header = JournalLine.encode(.header(JournalHeader(
            sampleRate: SampleRate(8_000)!, seed: 1, experience: "direct", started: "2026-01-01T00:00:00Z",
            theme: Theme(name: "t", toneCurve: .standard, toneFade: .milliseconds(5), ceiling: Decibels(-1), chimes: [:],
                         haptics: [:]))))
        let rest: [JournalEntry] = [
            .event(Event(client: .connection(1), .tone(ToneRequest(on: true, frequency: Hertz(440), level: Decibels(-6)))), at: Frame(0)),
            .event(Event(client: .connection(1), .tone(ToneRequest(on: false))), at: Frame(400)), .end(.idle, at: Frame(800)),
        ]
        let bytes = header + rest.flatMap { JournalLine.encode($0) }
        // Of none at all it is an empty file, which is refused.
        for cut in 1..<(bytes.count - 1) {
            try Data(bytes[..<cut]).write(to: URL(fileURLWithPath: scratch.file("cut.jsonl")))
            let finished = try thrum("render", scratch.file("cut.jsonl"), "-o", scratch.file("cut.wav"), "--force")
            // All of it but its newline is a whole one.
            if cut < header.count - 1 {
                #expect(finished.status == 65 && finished.errors.contains("cut.jsonl:1: expected the whole header"), "cut at \(cut)")
                #expect(!FileManager.default.fileExists(atPath: scratch.file("cut.wav")))
                continue
            }
            #expect(finished.status == 0, "cut at \(cut): \(finished.errors)")
            let warnings = finished.errors.split(separator: "\n")
            #expect(warnings.count == 1 && warnings[0].contains("warning: the session was cut off"), "cut at \(cut): \(warnings)")
            let frames = try WaveFile(path: scratch.file("cut.wav")).samples.count
            // Up to the last event that is there, and the 10 ms it fades in.
            let text = String(decoding: bytes[..<cut], as: UTF8.self)
            let expected = text.contains("\"frame\":400,\"on\":false}") ? 480 : text.contains("\"on\":true}") ? 80 : 0
            #expect(frames == expected, "cut at \(cut)")
        }
    }

    @Test func `a bad field ends with its file, line and name, status 65, and no file`() throws {
        let scratch = try Scratch()
        let text = try String(contentsOfFile: locked, encoding: .utf8)
            .replacingOccurrences(of: #""frequency":777.7"#, with: #""frequency":"seven""#)
        let journal = try scratch.write(text, to: "bad.jsonl")
        let finished = try thrum("render", journal, "-o", scratch.file("bad.wav"))
        #expect(finished.status == 65)
        #expect(finished.errors == "thrum: \(journal):4: frequency: expected a number from 20 to 5000 (Hz), found \"seven\"\n")
        #expect(try scratch.contents == ["bad.jsonl"])
        let streamed = try thrum("render", journal, "-o", "-")
        #expect(streamed.status == 65 && streamed.output.isEmpty)
    }

    @Test func `standard output gets the same bytes as a file, and nothing else does`() throws {
        let scratch = try Scratch()
        #expect(try thrum("render", locked, "-o", scratch.file("a.wav")).status == 0)
        let streamed = try thrum("render", locked, "-o", "-")
        #expect(streamed.status == 0)
        #expect(streamed.errors.isEmpty)
        let same = streamed.output == FileManager.default.contents(atPath: scratch.file("a.wav"))
        #expect(same)
    }

    @Test func `an existing file is refused without --force, and left as it was`() throws {
        let scratch = try Scratch()
        let path = try scratch.write("precious", to: "a.wav")
        let refused = try thrum("render", locked, "-o", path)
        #expect(refused.status == 73)
        #expect(refused.errors.contains("--force"))
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "precious")
        #expect(try thrum("render", locked, "-o", path, "--force").status == 0)
        #expect(try WaveFile(path: path).samples.count == 96_000)
    }

    @Test func `a recording is never rendered over itself, nor a pipe replaced`() throws {
        let scratch = try Scratch()
        let text = try String(contentsOfFile: locked, encoding: .utf8)
        let journal = try scratch.write(text, to: "a.wav")
        let onto = try thrum("render", journal, "-o", journal, "--force")
        #expect(onto.status == 73 && onto.errors.contains("is the file it would be made from"))
        #expect(try String(contentsOfFile: journal, encoding: .utf8) == text)
        #expect(mkfifo(scratch.file("pipe"), 0o600) == 0)
        let piped = try thrum("picture", journal, "-o", scratch.file("pipe"), "--force")
        #expect(piped.status == 73 && piped.errors.contains("no regular file"))
    }

    @Test func `a render that is interrupted leaves nothing behind`() throws {
        let scratch = try Scratch()
        let header = try #require(try String(contentsOfFile: locked, encoding: .utf8).split(separator: "\n").first)
        // Hours of silence, which no machine renders in a moment.
        let journal = try scratch.write(header + "\n{\"end\":\"idle\",\"frame\":4000000000}\n", to: "long.jsonl")
        let running = try Running(Programs.thrum, ["render", journal, "-o", scratch.file("long.wav")])
        // Not Task.sleep: other tests block the threads it would have to come back on, and the render would be over by then.
        usleep(300_000)
        running.signal(SIGTERM)
        #expect(running.finish().status == 128 + SIGTERM)
        #expect(try scratch.contents == ["long.jsonl"])
    }

    @Test(arguments: [("16", 1, 16, 1), ("24", 1, 24, 2), ("float", 3, 32, 2)])
    func `formats, rates and channels are what was asked for`(bits: String, encoding: Int, width: Int, channels: Int) throws {
        let scratch = try Scratch()
        let finished = try thrum("render", locked, "-o", scratch.file("a.wav"), "--bits", bits, "--channels", "\(channels)",
                                 "--rate", "44100")
        #expect(finished.status == 0)
        let file = try WaveFile(path: scratch.file("a.wav"))
        #expect(file.encoding == encoding && file.bits == width && file.channels == channels && file.rate == 44_100)
        #expect(file.samples.count == 88_200 * channels)
    }

    @Test(arguments: [["--bits", "8"], ["--rate", "7"], ["--channels", "3"]])
    func `a bad option is refused with what was expected`(options: [String]) throws {
        let finished = try run(Programs.thrum, ["render", locked, "-o", "/tmp/never.wav"] + options)
        #expect(finished.status == 64)
        #expect(finished.errors.contains(options[0]))
    }

    @Test func `a journal that is not there is said to be missing`() throws {
        let finished = try thrum("render", "/tmp/no-such.jsonl")
        #expect(finished.status == 66)
        #expect(finished.errors.contains("No such file"))
    }

    @Test func `the name of the file says what it is, and others are refused`() throws {
        let scratch = try Scratch()
        #expect(try thrum("render", locked, "-o", scratch.file("a.wav")).status == 0)
        let wave = try WaveFile(path: scratch.file("a.wav"))
        #expect(try thrum("render", locked, "-o", scratch.file("a.flac")).status == 0)
        #expect(try SoundFileReader.samples(of: scratch.file("a.flac"), at: .standard) == wave.samples)
        let refused = try thrum("render", locked, "-o", scratch.file("a.mp3"))
        #expect(refused.status == 64 && refused.errors.contains("--output: expected a name that ends in one of .wav, .flac, .ogg, .opus"))
        let float = try thrum("render", locked, "-o", scratch.file("b.flac"), "--bits", "float")
        #expect(float.status == 64 && float.errors.contains("--bits: expected 16 or 24 for a file of kind .flac, found float"))
        #expect(try scratch.contents == ["a.flac", "a.wav"])
    }

    @Test func `a session is named by its place in time, its name or a pipe`() throws {
        let scratch = try Scratch()
        let sessions = scratch.file("sessions")
        try FileManager.default.createDirectory(atPath: sessions, withIntermediateDirectories: true)
        let text = try String(contentsOfFile: locked, encoding: .utf8)
        for (day, seconds) in [(1, 2.0), (2, 1.0)] {
            let end = "{\"end\":\"idle\",\"frame\":\(Int(seconds * 48_000))}\n"
            let header = try #require(text.split(separator: "\n").first)
            _ = try scratch.write(header + "\n" + end, to: "sessions/2026-01-0\(day)T12-00-00Z.jsonl")
        }
        for (word, frames) in [("newest", 48_000), ("newest-1", 96_000), ("2026-01-01T12-00-00Z", 96_000), ("2026-01-02T12-00-00Z.jsonl", 48_000)] {
            let finished = try thrum("render", word, "--sessions", sessions, "-o", scratch.file("a.wav"), "--force")
            #expect(finished.status == 0, "\(finished.errors)")
            #expect(try WaveFile(path: scratch.file("a.wav")).samples.count == frames, "\(word)")
        }
        let far = try thrum("render", "newest-2", "--sessions", sessions)
        #expect(far.status == 66 && far.errors.contains("newest-2: expected at most newest-1, because there are 2 sessions"))
        let unknown = try thrum("render", "someday", "--sessions", sessions)
        #expect(unknown.status == 66 && unknown.errors.contains("someday: No such file or directory, nor a session of that name in \(sessions)"))
        for redirection in ["cat \"$1\" | \"$0\" render - -o -", "\"$0\" render - -o - < \"$1\""] {
            let piped = try run("/bin/sh", ["-c", redirection, Programs.thrum, locked])
            let direct = try thrum("render", locked, "-o", "-")
            let same = piped.output == direct.output
            #expect(piped.status == 0 && same, "\(piped.errors)")
        }
        let nameless = try run("/bin/sh", ["-c", "cat \"$1\" | \"$0\" render -", Programs.thrum, locked])
        #expect(nameless.status == 64 && nameless.errors.contains("--output is needed, because standard input has no name"))
    }

    @Test func `of 100 sessions, 5 of them broken, 95 are rendered and 5 named, and a second run does only what is missing`() throws {
        let scratch = try Scratch()
        let journals = scratch.file("journals")
        try FileManager.default.createDirectory(atPath: journals, withIntermediateDirectories: true)
        let lines = try String(contentsOfFile: locked, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
        // Small ones, of which each twentieth says something impossible in its third line.
        for number in 0..<100 {
            let isBroken = number % 20 == 7
            let third = isBroken ? #"{"client":1,"event":"tone","frame":0,"frequency":"seven","on":true}"# : #"{"end":"idle","frame":4800}"#
            _ = try scratch.write("\(lines[0])\n\(lines[1])\n\(third)\n", to: "journals/\(String(format: "%03d", number)).jsonl")
        }
        let names = (0..<100).map { "\(journals)/\(String(format: "%03d", $0)).jsonl" }
        let into = scratch.file("sound/of/all")
        let first = try run(Programs.thrum, ["render"] + names + ["--into", into])
        #expect(first.status == 65)
        #expect(first.text.split(separator: "\n").last == "rendered: 95, failed: 5")
        let faults = first.errors.split(separator: "\n")
        #expect(faults.count == 5 && faults.allSatisfy { $0.contains(".jsonl:3: frequency: expected a number") }, "\(first.errors)")
        let files = try FileManager.default.contentsOfDirectory(atPath: into)
        #expect(files.count == 95 && files.allSatisfy { $0.hasSuffix(".wav") })
        let kept = try FileManager.default.attributesOfItem(atPath: into + "/000.wav")[.modificationDate] as? Date
        try FileManager.default.removeItem(atPath: into + "/099.wav")
        let second = try run(Programs.thrum, ["render"] + names + ["--into", into])
        #expect(second.status == 65)
        #expect(second.text.split(separator: "\n").last == "rendered: 1, there already: 94, failed: 5")
        #expect(try FileManager.default.attributesOfItem(atPath: into + "/000.wav")[.modificationDate] as? Date == kept)
        #expect(try thrum("render", names[0], "-o", scratch.file("alone.wav")).status == 0)
        let same = FileManager.default.contents(atPath: scratch.file("alone.wav")) == FileManager.default.contents(atPath: into + "/000.wav")
        #expect(same)
    }

    @Test func `two sessions of one name are not rendered into one file`() throws {
        let scratch = try Scratch()
        for name in ["a", "b"] {
            try FileManager.default.createDirectory(atPath: scratch.file(name), withIntermediateDirectories: true)
            try FileManager.default.copyItem(atPath: locked, toPath: scratch.file("\(name)/visit.jsonl"))
        }
        let refused = try thrum("render", scratch.file("a/visit.jsonl"), scratch.file("b/visit.jsonl"), "--into", scratch.file("out"))
        #expect(refused.status == 73 && refused.errors.contains("visit.wav: expected one session of that name"), "\(refused.errors)")
        let several = try thrum("render", scratch.file("a/visit.jsonl"), scratch.file("b/visit.jsonl"))
        #expect(several.status == 64 && several.errors.contains("expected one session, or --into"))
    }
}
