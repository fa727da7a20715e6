import Foundation
import Journal
import Offline
import Registry
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

/// Journals in which entries are missing, because the disk did not take them.
@Suite struct LossTests {
    private func journal(_ lines: String, experience: String = "direct", in scratch: Scratch) throws -> FilePath {
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: experience, started: "then", theme: .standard)
        return FilePath(try scratch.write(String(decoding: JournalLine.encode(.header(header)), as: UTF8.self) + lines, to: "a.jsonl"))
    }

    private func render(_ journal: FilePath, in scratch: Scratch) throws -> (samples: [Float], result: Rendering.Result) {
        let path = scratch.file("a.wav")
        let descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        var options = Rendering.Options(Registry.pieces)
        options.format = .float32
        let result = try Rendering.render(journal, to: descriptor, options)
        return (try WaveFile(path: path).samples, result)
    }

    private func peak(_ samples: ArraySlice<Float>) -> Float { samples.reduce(0) { max($0, $1.magnitude) } }

    @Test func `where entries are missing everything is let go, and what comes after is heard`() throws {
        let scratch = try Scratch()
        let (samples, result) = try render(journal("""
            {"frame":0,"event":"tone","frequency":1000,"level":-12}
            {"frame":0,"event":"touch","phase":"began"}
            {"frame":24000,"lapse":"lost","entries":3}
            {"frame":30000,"event":"touch","phase":"moved"}
            {"frame":36000,"event":"touch","phase":"ended"}
            {"frame":48000,"event":"touch","phase":"began"}
            {"frame":60000,"lapse":"lost","entries":4}
            {"frame":72000,"event":"touch","phase":"began"}
            {"frame":96000,"event":"stop"}
            {"frame":96480,"end":"shutdown"}\n
            """, in: scratch), in: scratch)
        // −12 dBFS are 0.2512.
        for heard in [1_000..<24_000, 49_000..<60_000, 73_000..<96_000] { #expect(abs(peak(samples[heard]) - 0.2512) < 1e-3, "\(heard)") }
        for silent in [24_500..<48_000, 60_500..<72_000] { #expect(peak(samples[silent]) < 1e-6, "\(silent)") }
        // Softly: a sine of 1 kHz steps by 2π · 1000/48000 of its amplitude at most.
        #expect(zip(samples.dropFirst(), samples).allSatisfy { ($0 - $1).magnitude < 0.034 })
        #expect(result.notes.loss == Loss(entries: 7, from: Seconds(0.5)))
        #expect(result.notes.cutLine == nil && samples.count == 96_480)
    }

    @Test func `entries that are missing at the end end it there`() throws {
        let scratch = try Scratch()
        let (samples, result) = try render(journal("""
            {"frame":0,"event":"tone","frequency":1000,"level":-12}
            {"frame":0,"event":"touch","phase":"began"}
            {"frame":24000,"lapse":"lost","entries":3}\n
            """, in: scratch), in: scratch)
        #expect(samples.count == 24_480 && peak(samples[23_000..<24_000]) > 0.25 && peak(samples[24_479...]) < 1e-3)
        #expect(result.notes.loss?.entries == 3 && result.notes.cutLine == 4)
    }

    @Test func `what can only be understood by what is missing is passed over`() throws {
        let scratch = try Scratch()
        let scroll = #"{"frame":48000,"event":"feed.scroll","index":500}"# + "\n" + #"{"frame":96480,"end":"idle"}"# + "\n"
        let whole = try journal(scroll, experience: "colorscroller", in: scratch)
        #expect(throws: JournalFault.self) { try Rendering.check(whole, by: .today, Registry.pieces) }
        let gappy = try journal(#"{"frame":24000,"lapse":"lost","entries":900}"# + "\n" + scroll, experience: "colorscroller", in: scratch)
        #expect(throws: Never.self) { try Rendering.check(gappy, by: .today, Registry.pieces) }
        #expect(try TelemetryLog(gappy, by: .today, Registry.pieces).rows.isEmpty)
    }
}
