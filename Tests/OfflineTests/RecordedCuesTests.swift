import ColorScroller
import Foundation
import Journal
import Offline
import Registry
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

/// Journals of version 2: what is heard is what their lines say.
@Suite struct RecordedCuesTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func write(_ entries: [JournalEntry], to name: String) throws -> FilePath {
        FilePath(try scratch.write(entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined(), to: name))
    }

    private func samples(_ journal: FilePath, by rules: ReplayRules = .recorded) throws -> [Float] {
        let path = scratch.file("a.wav")
        let descriptor = try FileDescriptor.open(FilePath(path), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
        defer { try? descriptor.close() }
        var options = Rendering.Options(Registry.pieces)
        options.format = .float32
        options.rules = rules
        _ = try Rendering.render(journal, to: descriptor, options)
        return try WaveFile(path: path).samples
    }

    /// A frantic visitor of ColorScroller, for some seconds.
    private var visit: [JournalEntry] {
        guard let visitor = ColorScroller.declaration.visitors.first(where: { $0.name == "frantic" }) else { return [] }
        var simulation = Simulation(ColorScroller.self, visitor, seed: 3, turns: 18, idle: Seconds(45))
        var entries: [JournalEntry] = []
        while let step = simulation.next() { entries.append(step.entry) }
        return entries
    }

    private func changed(_ entries: [JournalEntry], rules: (inout JournalHeader) -> Void, cues: (Cue) -> Cue?) -> [JournalEntry] {
        entries.map { entry in
            switch entry {
            case .header(var header):
                rules(&header)
                return .header(header)
            case .event(let event, let frame, let due, let given):
                return .event(event, at: frame, due: due, gave: given.map { .init(cues: $0.cues.compactMap(cues), logOdds: $0.logOdds) })
            case .discontinuity, .checkpoint, .end: return entry
            }
        }
    }

    @Test func `a journal of a piece that nobody knows is rendered`() throws {
        let rules = JournalHeader.Rules(version: 3, opening: [.tonePitch(Hertz(1_000), glide: .zero), .toneLevel(Decibels(-12))])
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "metronome", started: "then", theme: .standard, rules: rules)
        let journal = try write([
            .header(header), .event(Event(client: .connection(1), .tap(Tap())), at: Frame(24_000), cues: [.toneGate(open: true)]),
            .event(Event(client: .connection(1), .tap(Tap())), at: Frame(72_000), cues: [.toneGate(open: false)]),
            .event(Event(client: .engine, .stop), at: Frame(96_000), cues: [.stop]), .end(.idle, at: Frame(96_480)),
        ], to: "a.jsonl")
        let samples = try samples(journal)
        // −12 dBFS are 0.2512.
        #expect(samples.count == 96_480)
        #expect(samples[..<24_000].allSatisfy { $0 == 0 } && samples[73_000...].allSatisfy { $0.magnitude < 1e-6 })
        #expect(abs((samples[25_000..<72_000].map(\.magnitude).max() ?? 0) - 0.2512) < 1e-3)
        #expect(try SessionOutline(journal, columns: 8, Registry.pieces).columns.compactMap(\.pitch).allSatisfy { $0 == Hertz(1_000) })
        // What only its rules could say is refused.
        for rules in [ReplayRules.same, .today] {
            let fault = try #require(throws: JournalFault.self) { try TelemetryLog(journal, by: rules, Registry.pieces) }
            #expect(fault.line == 1 && fault.fault.field == "experience" && fault.fault.found == "\"metronome\"")
        }
    }

    @Test func `what was heard is heard again though the rules are others now`() throws {
        let now = visit
        let asNow = try samples(write(now, to: "now.jsonl"))
        // Rules that rang no chime, and whose tone was lower.
        let then = try write(changed(now, rules: { $0.rules?.version = 99 }, cues: { cue in
            switch cue {
            case .chime: nil
            case .tonePitch(let pitch, let glide): .tonePitch(Hertz(pitch.rawValue * 0.75), glide: glide)
            default: cue
            }
        }), to: "then.jsonl")
        let asThen = try samples(then)
        #expect(asThen.count == asNow.count && asThen != asNow)
        #expect(try samples(then, by: .today) == asNow)
        #expect(try SessionOutline(then, columns: 100, Registry.pieces).marks.isEmpty && !SessionOutline(then, by: .today, columns: 100, Registry.pieces).marks.isEmpty)
        for attempt in [{ _ = try TelemetryLog(then, Registry.pieces) }, { _ = try samples(then, by: .same) }] as [() throws -> Void] {
            let fault = try #require(throws: JournalFault.self) { try attempt() }
            #expect(fault.description(file: "then.jsonl") == "then.jsonl:1: rules: expected \(ColorScroller.declaration.rulesVersion), the version of the rules of colorscroller in "
                + "this Thrum; --rules today takes them, found 99")
        }
        #expect(try TelemetryLog(then, by: .today, Registry.pieces).rows == TelemetryLog(write(now, to: "now.jsonl"), Registry.pieces).rows)
    }

    @Test func `a journal of format version 1 is of rules version 1, which are not here, and goes through today's where they are asked for`() throws {
        let now = try write(visit, to: "2.jsonl")
        let events = changed(visit, rules: { ($0.rules, $0.model) = (nil, nil) }, cues: { _ in nil }).map(\.withoutOutcome)
        let before = try write(events, to: "1.jsonl")
        #expect(try String(contentsOfFile: before.string, encoding: .utf8).contains(#""version":1"#))
        for attempt in [{ _ = try samples(before) }, { _ = try TelemetryLog(before, Registry.pieces) }] as [() throws -> Void] {
            let fault = try #require(throws: JournalFault.self) { try attempt() }
            #expect(fault.description(file: "1.jsonl") == "1.jsonl:1: rules: expected \(ColorScroller.declaration.rulesVersion), the version of the rules of colorscroller in "
                + "this Thrum; --rules today takes them, found 1")
        }
        #expect(try samples(before, by: .today) == samples(now))
        #expect(try TelemetryLog(before, by: .today, Registry.pieces).rows == TelemetryLog(now, Registry.pieces).rows)
    }

    @Test func `pink noise is rendered at its level from its line on, until the line that ends it`() throws {
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "metronome", started: "then", theme: .standard,
                                   rules: JournalHeader.Rules(version: 1, opening: []))
        func noise(_ frame: Int64, _ level: Decibels?) -> JournalEntry {
            .event(Event(client: .connection(1), .noise(level)), at: Frame(frame), cues: [.noise(level)])
        }
        let samples = try samples(write([.header(header), noise(24_000, Decibels(-20)), noise(144_000, nil), .end(.idle, at: Frame(192_000))],
                                        to: "a.jsonl"))
        #expect(samples[..<24_000].allSatisfy { $0 == 0 } && samples[150_000...].allSatisfy { $0.magnitude < 1e-6 })
        // −20 dBFS are 0.1. The power of the 11 octaves within 2.3 s is known within a few percent: 1 dB is 12 %.
        let sounding = samples[34_000..<144_000]
        let level = (sounding.reduce(0) { $0 + Double($1) * Double($1) } / Double(sounding.count)).squareRoot()
        #expect(abs(level - 0.1) < 0.012, "\(level)")
    }

    @Test func `where entries are missing everything is let go, and cues after it count`() throws {
        let rules = JournalHeader.Rules(version: 1, opening: [.tonePitch(Hertz(1_000), glide: .zero), .toneLevel(Decibels(-12))])
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "metronome", started: "then", theme: .standard, rules: rules)
        func tap(_ frame: Int64, _ cues: [Cue]) -> JournalEntry { .event(Event(client: .connection(1), .tap(Tap())), at: Frame(frame), cues: cues) }
        let samples = try samples(write([
            .header(header), tap(0, [.toneGate(open: true)]), .discontinuity(.lost(entries: 3), at: Frame(24_000)),
            tap(48_000, [.toneGate(open: true)]), tap(72_000, [.toneGate(open: false)]), .end(.idle, at: Frame(96_000)),
        ], to: "a.jsonl"))
        #expect(samples[30_000..<48_000].allSatisfy { $0.magnitude < 1e-6 })
        for heard in [1_000..<24_000, 49_000..<72_000] { #expect(abs((samples[heard].map(\.magnitude).max() ?? 0) - 0.2512) < 1e-3) }
    }
}
