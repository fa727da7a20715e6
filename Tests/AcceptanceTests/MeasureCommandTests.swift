import Foundation
import Journal
import Signals
import Testing
import TestSupport
import Units

@Suite struct MeasureCommandTests {
    @Test func `a sound file from standard input is measured as the file is, and a journal as the journal`() throws {
        let scratch = try Scratch()
        let journal = repository + "/Tests/Fixtures/locked.jsonl"
        let file = scratch.file("a.flac")
        #expect(try thrum("render", journal, "-o", file).status == 0)
        func figures(_ text: String) throws -> [Substring] {
            try #require(text.split(separator: "\n").dropFirst().first).split(separator: " ").dropLast(1)
        }
        let measured = try figures(thrum("measure", file).text)
        for source in [file, journal] {
            let piped = try run("/bin/sh", ["-c", #"cat "$1" | "$0" measure -"#, Programs.thrum, source])
            #expect(piped.status == 0 && piped.text.contains("standard input"), "\(piped.errors)")
            // Names with a space in them are two words.
            #expect(try figures(piped.text).dropLast(1) == measured[...], "\(source): \(piped.text)")
        }
    }

    private struct Measured: Decodable {
        struct Band: Decodable { var middle: Double; var level: Double? }
        var name: String
        var seconds: Double
        var integrated: Double?
        var truePeak: Double?
        var isCalibrated: Bool
        var weighted: Double?
        var dose: Double?
        var spectrum: [Band]
    }

    private func measure(_ words: [String], config: String) throws -> [Measured] {
        let finished = try run(Programs.thrum, ["measure", "--json", "--config", config] + words)
        try #require(finished.status == 0 && finished.errors.isEmpty, "\(finished.errors)")
        return try JSONDecoder().decode([Measured].self, from: finished.output)
    }

    /// Five seconds of a tone that comes and goes and wanders, and of chimes; each number another.
    private func session(_ number: Int) -> String {
        var random = SplitMix64(seed: UInt64(number))
        func draw(_ range: ClosedRange<Double>) -> Double { Double.random(in: range, using: &random) }
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "then", theme: .standard)
        var entries = [JournalEntry.header(header)]
        for index in 0..<10 {
            let kind: EventKind = switch index % 4 {
            case 3: .chime(name: "ding")
            case 2: .tone(ToneRequest(on: false))
            default: .tone(ToneRequest(on: true, frequency: Hertz(draw(100...4_000)), level: Decibels(draw(-40 ... -6)), glide: Seconds(0.2)))
            }
            entries.append(.event(Event(client: .connection(1), kind), at: Frame(Int64(index) * 24_000)))
        }
        entries.append(.end(.idle, at: Frame(240_000)))
        return entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined()
    }

    /// What ffmpeg's filter ebur128 says, which is not made of libebur128. Its range is left out: it takes ten values a second where
    /// libebur128 takes one, which tells in a few seconds.
    private func ffmpeg(_ path: String) throws -> (integrated: Double, truePeak: Double) {
        let finished = try run("ffmpeg", ["-nostdin", "-hide_banner", "-i", path, "-af", "ebur128=peak=true:framelog=verbose", "-f", "null", "-"])
        let summary = try #require(finished.errors.components(separatedBy: "Summary:").last)
        func number(_ match: Substring?) throws -> Double { try #require(match.flatMap { Double($0) }, "\(finished.errors)") }
        return (try number(summary.firstMatch(of: /I: +(-?[0-9.]+) LUFS/)?.1), try number(summary.firstMatch(of: /Peak: +(-?[0-9.]+) dBFS/)?.1))
    }

    @Test func `loudness and true peak of ten sessions are those of ffmpeg`() throws {
        let scratch = try Scratch()
        let config = try scratch.write("", to: "none.yaml")
        let journals = try (0..<10).map { try scratch.write(session($0), to: "s\($0).jsonl") }
        #expect(try run(Programs.thrum, ["render", "--into", scratch.path, "--bits", "float"] + journals).status == 0)
        let sounds = try measure(journals, config: config)
        #expect(sounds.map(\.name) == journals)
        for (number, sound) in sounds.enumerated() {
            let expected = try ffmpeg(scratch.file("s\(number).wav"))
            // ffmpeg rounds to a tenth.
            let integrated = try #require(sound.integrated)
            let truePeak = try #require(sound.truePeak)
            #expect(abs(integrated - expected.integrated) <= 0.1, "\(number): \(integrated), \(expected)")
            #expect(abs(truePeak - expected.truePeak) <= 0.2, "\(number): \(truePeak), \(expected)")
        }
        // They differ, so that agreeing says something.
        let levels = sounds.compactMap(\.integrated)
        #expect((levels.max() ?? 0) - (levels.min() ?? 0) > 3)
    }

    @Test func `a session measures as its files, a part as the part's, and two speakers 3 LU louder`() throws {
        let scratch = try Scratch()
        let config = try scratch.write("hearing: {calibration: 96}\n", to: "thrum.yaml")
        let journal = try scratch.write(session(3), to: "a.jsonl")
        for words in [["-o", scratch.file("a.wav"), "--bits", "float"], ["-o", scratch.file("a.flac"), "--bits", "24"],
                      ["-o", scratch.file("b.wav"), "--bits", "float", "--from", "1", "--to", "0:03"]] {
            #expect(try run(Programs.thrum, ["render", journal] + words).status == 0)
        }
        let sounds = try measure([journal, scratch.file("a.wav"), scratch.file("a.flac"), scratch.file("b.wav")], config: config)
        for sound in sounds[1...2] {
            #expect(abs((sound.integrated ?? 0) - (sounds[0].integrated ?? 1)) < 1e-3)
            #expect(abs((sound.dose ?? 0) - (sounds[0].dose ?? 1)) < 1e-6)
        }
        let part = try measure([journal, "--from", "1", "--to", "3"], config: config)[0]
        #expect(part.seconds == 2 && part.integrated == sounds[3].integrated && part.weighted == sounds[3].weighted)
        let doubled = try measure([journal, "--channels", "2"], config: config)[0]
        #expect(abs((doubled.integrated ?? 0) - (sounds[0].integrated ?? 0) - 3.01) < 0.01)
        #expect(doubled.weighted == sounds[0].weighted && doubled.isCalibrated)
        let refused = try thrum("measure", scratch.file("a.wav"), "--from", "1")
        #expect(refused.status == 64 && refused.errors.contains("expected a session with --from"), "\(refused.errors)")
    }

    @Test func `a table has a line for each, and what cannot be measured is named`() throws {
        let scratch = try Scratch()
        let config = try scratch.write("", to: "none.yaml")
        let journal = try scratch.write(session(1), to: "a.jsonl")
        let broken = try scratch.write(session(2).replacing("\"idle\"", with: "\"never\""), to: "b.jsonl")
        let notes = try scratch.write("no sound", to: "c.wav")
        let finished = try thrum("measure", journal, broken, notes, scratch.file("none.wav"), "--config", config)
        #expect(finished.status == 65)
        let faults = finished.errors.split(separator: "\n")
        #expect(faults.count == 3 && faults[0].contains("b.jsonl:12: end") && faults[1].contains("c.wav: ") && faults[2].contains("none.wav: No such"),
                "\(finished.errors)")
        let lines = finished.text.split(separator: "\n")
        #expect(lines[0].split(separator: " ") == ["LUFS", "LU", "dBTP", "RMS", "dB(A)", "loudest", "length", "session"])
        #expect(lines[1].hasSuffix("0:05.0  \(journal)"))
        #expect(finished.text.contains("time at each level (dB(A)") && finished.text.contains("thirds of an octave") && finished.text.contains("strongest: "))
    }
}
