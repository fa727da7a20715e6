import ColorScroller
import Experience
import Fields
import Foundation
import Journal
import Offline
import Registry
import Signals
import SoundFile
import SystemPackage
import Testing
import TestSupport
import Units

/// Few frames a second, so that the tests are quick.
private let rate = SampleRate(8_000) ?? .standard

/// Cuts of sessions: what comes before a cut is not heard, but it has happened.
@Suite struct SessionCutTests {
    private let scratch: Scratch
    private let journal: FilePath

    /// Two seconds in which everything is going on: a tone that glides over the ceiling, chimes that ring, a texture, a volume that
    /// fades as the hearing guard's does, another theme, a mute.
    init() throws {
        scratch = try Scratch()
        var other = Theme.standard
        other.name = "other"
        other.ceiling = Decibels(-9)
        let events: [(Int64, EventKind)] = [
            (0, .tone(ToneRequest(on: true, frequency: Hertz(300), level: Decibels(-2), glide: Seconds(0)))),
            (800, .tone(ToneRequest(frequency: Hertz(1_200), glide: Seconds(1)))),
            (1_000, .mark("intro")), (2_000, .chime(name: "ding")), (2_008, .haptic(name: "swipe")),
            (3_000, .texture(name: "purr-healthy", on: true)),
            (5_000, .volume(Decibels(-12), fade: Seconds(0.5))), (6_000, .chime(name: "ding")),
            (7_001, .mark("other theme")), (8_000, .theme(other)), (10_000, .mute(true)), (11_000, .mute(false)),
            (11_666, .mark("intro")), (12_500, .tone(ToneRequest(on: false))), (13_333, .texture(name: "purr-healthy", on: false)),
        ]
        let header = JournalHeader(sampleRate: rate, seed: 7, experience: "direct", started: "then", theme: .standard)
        let entries = [.header(header)] + events.map { JournalEntry.event(Event(client: .connection(1), $0.1), at: Frame($0.0)) }
            + [.end(.idle, at: Frame(16_000))]
        journal = FilePath(try scratch.write(entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined(), to: "a.jsonl"))
    }

    private func render(_ cut: SessionCut = .whole, _ change: (inout Rendering.Options) -> Void = { _ in }) throws
        -> (samples: [Float], result: Rendering.Result) {
        let path = scratch.file("cut.wav")
        let file = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        defer { try? file.close() }
        var options = Rendering.Options(Registry.pieces)
        options.format = .float32
        options.cut = cut
        change(&options)
        let result = try Rendering.render(journal, to: file, options)
        return (try WaveFile(path: path).samples, result)
    }

    private func seconds(_ frame: Int) -> SessionPoint { .time(Seconds(Double(frame) / 8_000)) }

    private func cut(_ from: Int, _ to: Int) -> SessionCut { .between(seconds(from), seconds(to)) }

    @Test(arguments: [7, 512, 32_768])
    func `a cut has the samples that it has in the whole, wherever it begins`(block: Int) throws {
        let (whole, result) = try render()
        #expect(whole.count == 16_000 && result.limitedFrames > 0)
        // In the glide, at an event, between latency and event, in a chime, a fade, after the theme, in the mute, at the very end.
        let starts = block == 7 ? [2_500] : [0, 1, 20, 800, 2_004, 3_333, 6_000, 7_000, 7_999, 10_083, 15_999]
        for start in starts {
            let samples = try render(cut(start, 16_000)) { $0.block = block }.samples
            let same = samples == Array(whole[start...])
            #expect(same, "from \(start)")
        }
        let middle = try render(cut(4_166, 7_500)).samples
        #expect(middle == Array(whole[4_166..<7_500]))
    }

    @Test func `a cut of a cut is the same as if it were cut at once`() throws {
        let whole = try render().samples
        let outer = try render(cut(2_500, 10_833)).samples
        let inner = try render(cut(2_500 + 2_083, 2_500 + 5_083)).samples
        #expect(inner == Array(outer[2_083..<5_083]) && inner == Array(whole[4_583..<7_583]))
    }

    @Test func `so it is at another rate, with a transducer's channel and with dither`() throws {
        // Whole numbers of frames at all these rates.
        let cut = SessionCut.between(.time(Seconds(0.64)), .time(Seconds(1.28)))
        for (name, samplesASecond, change) in [
            ("rate", 11_025, { $0.rate = SampleRate(11_025) }),
            ("transducer", 16_000, { $0.channels = .interleaved }),
            ("dither", 8_000, { $0.format = .pcm16; $0.dither = true }),
            ("dither of two", 16_000, { $0.format = .pcm24; $0.dither = true; $0.channels = .interleaved }),
        ] as [(String, Int, (inout Rendering.Options) -> Void)] {
            let whole = try render(.whole, change).samples
            let part = try render(cut, change).samples
            let same = part == Array(whole[(samplesASecond * 16 / 25)..<(samplesASecond * 32 / 25)])
            #expect(same, "\(name)")
        }
    }

    @Test func `marks are moments too`() throws {
        let whole = try render().samples
        #expect(try render(.mark("other theme")).samples == Array(whole[7_001..<11_666]), "up to the next mark")
        #expect(try render(.mark("intro")).samples == Array(whole[1_000..<7_001]), "the first of that text")
        #expect(try render(.between(.mark("other theme"), nil)).samples == Array(whole[7_001...]))
        #expect(try render(.between(nil, .mark("other theme"))).samples == Array(whole[..<7_001]))
    }

    @Test func `a cut that is not there is refused, and told what there is`() throws {
        func fault(_ cut: SessionCut) throws -> String {
            let fault = try #require(throws: Fault.self) { try render(cut) }
            #expect(throws: fault) { try SessionOutline(journal, cut: cut, columns: 10, Registry.pieces) }
            #expect(throws: fault) { try Rendering.check(journal, cut: cut, Registry.pieces) }
            return "\(fault)"
        }
        let marks = "one of the marks \"intro\" at 0:00.125, \"other theme\" at 0:00.875, \"intro\" at 0:01.458"
        #expect(try fault(.mark("outro")) == "--mark: expected \(marks), found \"outro\"")
        #expect(try fault(.between(.mark("1:75"), nil)) == "--from: expected a time, as 12.5, 1:30 or 1:02:03, or \(marks), found \"1:75\"")
        #expect(try fault(.between(.time(Seconds(2)), nil)) == "--from: expected less than 0:02.000, the session's length, found 0:02.000")
        #expect(try fault(.between(nil, .time(Seconds(5)))) == "--to: expected at most 0:02.000, the session's length, found 0:05.000")
        #expect(try fault(.between(.time(Seconds(1.5)), .time(Seconds(1)))) == "--to: expected more than 0:01.500, where the cut begins, found 0:01.000")
    }

    @Test func `what is said of a cut is of the cut`() throws {
        let (_, whole) = try render()
        let (_, part) = try render(cut(5_000, 7_500))
        #expect(whole.summary.chimes == ["ding": 2] && part.summary.chimes == ["ding": 1])
        // It is held when the cut begins: half of its glide is over, in which its pitch is that of where it goes.
        #expect(part.summary.touches == 1 && part.summary.startPitch == Hertz(1_200) && part.summary.frames == FrameCount(2_500))
        #expect(part.limitedFrames < whole.limitedFrames)
        let outline = try SessionOutline(journal, cut: cut(5_000, 7_500), columns: 30, Registry.pieces)
        #expect(outline.start == Seconds(0.625) && outline.duration == Seconds(0.3125))
        #expect(outline.marks.map(\.at) == [Seconds(0.75)] && outline.columns.allSatisfy { $0.pitch == Hertz(1_200) })
    }

    @Test func `telemetry within a cut is a part of the whole's`() throws {
        let table = try #require(ColorScroller.declaration.telemetry.first { $0.topic != nil })
        let visitor = try #require(ColorScroller.declaration.visitors.first { $0.name == "frantic" })
        var simulation = Simulation(ColorScroller.self, visitor, seed: 3, turns: 40, idle: Seconds(45))
        var text = ""
        var frames: [Frame] = []
        while let step = simulation.next() {
            text += String(decoding: JournalLine.encode(step.entry), as: UTF8.self)
            if case .event(let event, let frame, _, _) = step.entry, case .swipe = event.kind { frames.append(frame) }
        }
        let journal = FilePath(try scratch.write(text, to: "feed.jsonl"))
        let lines = { (cut: SessionCut) in
            let log = try TelemetryLog(journal, of: table, cut: cut, Registry.pieces)
            return TelemetryText(.csv, table).lines(log).split(separator: "\r\n").map(String.init)
        }
        let whole = try lines(.whole)
        try #require(whole.count == 40 && frames.count == 40)
        func at(_ frame: Frame) -> SessionPoint { .time(SampleRate.standard.seconds(in: frame - .zero)) }
        #expect(try lines(.between(at(frames[10]), at(frames[25]))) == Array(whole[10..<25]))
        #expect(try lines(.between(at(frames[38]), nil)) == Array(whole[38...]), "the last rows say that they are the last")
    }
}
