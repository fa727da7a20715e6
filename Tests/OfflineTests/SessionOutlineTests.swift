import Calendar
import ColorScroller
import Experience
import Foundation
import Journal
import Offline
import Registry
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

@Suite struct SessionOutlineTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    private func journal(_ entries: [JournalEntry]) throws -> FilePath {
        FilePath(try scratch.write(entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined(), to: "a.jsonl"))
    }

    private func event(_ kind: EventKind, at seconds: Double) -> JournalEntry {
        .event(Event(client: .connection(1), kind), at: frame(seconds))
    }

    private func frame(_ seconds: Double) -> Frame { Frame(Int64(seconds * 48_000)) }

    @Test func `an outline shows where it was silent, what pitch it had, and where the chimes were`() throws {
        let outline = try SessionOutline(FilePath(repository + "/Tests/Fixtures/locked.jsonl"), columns: 200, Registry.pieces)
        #expect(outline.duration == Seconds(2))
        #expect(outline.columns.count == 200)
        #expect(outline.columns[5].pitch == Hertz(240))
        #expect(outline.columns[30].pitch == Hertz(777.7))
        // Between the touch that ends at 0.42 s and the next at 0.5 s the tone is off, and the chime rings on.
        #expect(outline.columns[47].pitch == nil)
        #expect(outline.columns[47].peak > Magnitude(0.01))
        // From the stop at 1.875 s until the next touch at 1.877 s it fades; it is quiet at the very end.
        #expect(outline.columns[199].peak < Magnitude(1e-4))
        #expect(outline.marks.count == 41)
        #expect(outline.marks[0].chime == "unlock")
        #expect(outline.marks[0].at == Seconds(0.1875))
    }

    private let header = JournalEntry.header(
        JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "then", theme: .standard))

    /// A tone of 1 kHz that is held.
    private func tone(_ level: Double, seconds: Double) throws -> SessionOutline {
        let request = ToneRequest(on: true, frequency: Hertz(1_000), level: Decibels(level), glide: Seconds(0))
        let path = try journal([header, event(.tone(request), at: 0), .end(.idle, at: frame(seconds))])
        return try SessionOutline(path, columns: 60, Registry.pieces)
    }

    @Test func `a tone's spectrum is where its pitch is, and as strong as the tone`() throws {
        let spectrogram = try tone(-20, seconds: 3).spectrogram
        let levels = spectrogram.levels
        #expect(spectrogram.frequencies == 40...16_000 && levels.count == 60 * Spectrogram.rows)
        for column in [5, 30, 55] {
            let rows = levels[(column * Spectrogram.rows)..<((column + 1) * Spectrogram.rows)]
            let strongest = try #require(rows.indices.max { rows[$0] < rows[$1] }) - rows.startIndex
            // Rows are equal parts of the octaves from 40 Hz to 16 kHz.
            let middle = 40 * Foundation.exp2(Foundation.log2(400) * (Double(strongest) + 0.5) / Double(Spectrogram.rows))
            #expect(abs(Foundation.log2(middle / 1_000)) < 0.05, "\(middle) Hz")
            // The tone has overtones, so its fundamental is a little less; a Hann window may lose 1.4 dB.
            #expect((-26 ... -19).contains(rows.max() ?? 0), "\(rows.max() ?? 0)")
            #expect((rows.first ?? 0) < -80)
        }
    }

    @Test func `a spectrum shows what sounds for a hundredth of a column`() throws {
        func tone(_ on: Bool) -> EventKind {
            .tone(ToneRequest(on: on, frequency: Hertz(1_000), level: Decibels(-20), glide: Seconds(0)))
        }
        let path = try journal([header, event(tone(true), at: 0), event(tone(false), at: 0.1), event(tone(true), at: 57),
                                event(tone(false), at: 57.1), .end(.idle, at: frame(100))])
        let levels = try SessionOutline(path, columns: 10, Registry.pieces).spectrogram.levels
        let loudest = (0..<10).map { levels[($0 * Spectrogram.rows)..<(($0 + 1) * Spectrogram.rows)].max() ?? 0 }
        // Columns of ten seconds.
        for (column, level) in loudest.enumerated() {
            #expect([0, 5].contains(column) ? (-28 ... -19).contains(level) : level < -120, "\(column): \(level)")
        }
    }

    @Test func `a tone twice as large is 6 LU louder, from moment to moment`() throws {
        let (quiet, loud) = (try tone(-30, seconds: 4), try tone(-23.98, seconds: 4))
        #expect(quiet.loudness.count == 40)
        for (a, b) in zip(quiet.loudness, loud.loudness).dropFirst(4) {
            #expect(abs((b.momentary ?? 0) - (a.momentary ?? 0) - 6.02) < 0.1, "\(a.at)")
        }
        // 3 s are full after 3 s, and of a steady tone all measures are one.
        let last = try #require(loud.loudness.last)
        #expect(last.at == Seconds(4))
        #expect(abs((last.shortTerm ?? 0) - (last.momentary ?? 0)) < 0.1 && abs((last.shortTerm ?? 0) - (loud.integrated ?? 0)) < 0.1)
    }

    @Test func `silence has no loudness`() throws {
        let outline = try SessionOutline(try journal([header, .end(.idle, at: frame(2))]), columns: 20, Registry.pieces)
        #expect(outline.integrated == nil && outline.loudness.allSatisfy { $0.momentary == nil && $0.shortTerm == nil })
        #expect(outline.spectrogram.levels.allSatisfy { $0 < -140 } && outline.rows.isEmpty)
    }

    @Test func `what happened is in rows, by what it is, as far as it is in the part`() throws {
        var other = Theme.standard
        other.name = "other"
        let path = try journal([
            header, event(.mark("before"), at: 0.5), event(.mute(true), at: 1), event(.chime(name: "ding"), at: 2), event(.mark("she laughs"), at: 2.5),
            event(.mute(false), at: 3), .discontinuity(.gap(nil), at: frame(3.5)),
            .discontinuity(.gap(FrameCount(24_000)), at: frame(3.5)), event(.theme(other), at: 5),
            .discontinuity(.lost(entries: 12), at: frame(6)), event(.mute(true), at: 7), .end(.idle, at: frame(8)),
        ])
        let outline = try SessionOutline(path, cut: .between(.time(Seconds(2)), nil), columns: 20, Registry.pieces)
        func moments(_ kind: MomentRow.Kind) -> [MomentRow.Moment]? { outline.rows.first { $0.kind == kind }?.moments }
        #expect(outline.rows.map(\.kind) == [.mark, .chime, .theme, .mute, .gap, .lost])
        #expect(moments(.mark) == [.init(at: Seconds(2.5), label: "she laughs")])
        #expect(moments(.chime) == [.init(at: Seconds(2), label: "ding")])
        #expect(moments(.mute) == [.init(at: Seconds(2), until: Seconds(3)), .init(at: Seconds(7), until: Seconds(8))])
        #expect(moments(.gap) == [.init(at: Seconds(3.5), until: Seconds(4))])
        #expect(moments(.theme) == [.init(at: Seconds(5), label: "other")])
        // Nobody knows what was held from then until the next event.
        #expect(moments(.lost) == [.init(at: Seconds(6), until: Seconds(7), label: "12 entries")])
    }

    @Test func `a stretch with lines that were changed is a row, from the last good line to the first that shows it`() throws {
        let entries = [header, event(.mark("a"), at: 0), event(.mark("b"), at: 1), event(.mark("c"), at: 3), .end(.idle, at: frame(4))]
        func damaged(_ change: (inout [String]) -> Void) throws -> [MomentRow.Moment] {
            var sum = JournalSum()
            var lines = entries.map { String(decoding: sum.seal(JournalLine.encode($0)), as: UTF8.self) }
            change(&lines)
            let path = FilePath(try scratch.write(lines.joined(), to: "a.jsonl"))
            return try SessionOutline(path, columns: 20, Registry.pieces).rows.filter { $0.kind == .damaged }.flatMap(\.moments)
        }
        #expect(try damaged { _ in } == [])
        #expect(try damaged { $0[2].replace("\"b\"", with: "\"x\"") } == [.init(at: Seconds(0), until: Seconds(1))])
        #expect(try damaged { $0.remove(at: 2) } == [.init(at: Seconds(0), until: Seconds(3))])
        #expect(try damaged { $0.removeSubrange(1...2) } == [.init(at: Seconds(0), until: Seconds(3))])
    }

    @Test func `rows that follow from rules are a guess from the damage on to the end, and those of lines are none`() throws {
        var simulation = Simulation(ColorScroller.self, try #require(ColorScroller.declaration.demonstration).visitor, seed: 3, turns: 40,
                                    idle: Seconds(3))
        var (entries, sum): ([JournalEntry], JournalSum) = ([], JournalSum())
        while let step = simulation.next() { entries.append(step.entry) }
        var lines = entries.map { String(decoding: sum.seal(JournalLine.encode($0)), as: UTF8.self) }
        func rows(_ cut: SessionCut = .whole) throws -> [MomentRow] {
            try SessionOutline(FilePath(try scratch.write(lines.joined(), to: "a.jsonl")), cut: cut, columns: 20, Registry.pieces).rows
        }
        #expect(try rows().contains { $0.kind == .highlight } && rows().allSatisfy { $0.guessedFrom == nil })
        let index = lines.count / 2
        lines[index].replace(/"sum":"[0-9a-f]{8}"/, with: #""sum":"00000000""#)
        func time(_ index: Int) -> Seconds { SampleRate.standard.seconds(in: entries[index].frame - .zero) }
        let damaged = try rows()
        // From the last line whose sum is right.
        #expect(damaged.allSatisfy { $0.guessedFrom == ($0.kind == .highlight ? time(index - 1) : nil) })
        // A part that begins later is a guess as a whole, and one that ends before it is none.
        let (late, early) = (Seconds(time(index).rawValue + 1), Seconds(time(index - 1).rawValue - 1))
        #expect(try rows(.between(.time(late), nil)).filter { $0.kind == .highlight }.allSatisfy { row in
            row.guessedFrom.map { abs($0.rawValue - late.rawValue) < 1e-4 } ?? false
        })
        #expect(try rows(.between(nil, .time(early))).allSatisfy { $0.guessedFrom == nil })
    }

    @Test func `a line that the rules cannot act on is told, and the piece has no rows from there on`() throws {
        let entries = [
            JournalEntry.header(JournalHeader(sampleRate: .standard, seed: 7, experience: "colorscroller", started: "then", theme: .standard,
                                              rules: .init(version: ColorScroller.declaration.rulesVersion, opening: []))),
            .end(.idle, at: frame(4)),
        ]
        let text = entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }
        let strange = #"{"client":1,"event":"feed.scrol","frame":480}"# + "\n"
        let path = FilePath(try scratch.write(text[0] + strange + text[1], to: "a.jsonl"))
        let fault = try #require(try SessionOutline(path, columns: 20, Registry.pieces).ruleFault)
        #expect(fault.line == 2 && fault.fault.field == "event" && fault.fault.found == "feed.scrol", "\(fault)")
    }

    @Test func `a part leaves out the idle time at a session's end but for a quarter of a minute`() throws {
        let events = [header, event(.touch(Touch(.began)), at: 2), event(.touch(Touch(.ended)), at: 10)]
        let idle = try journal(events + [.end(.idle, at: frame(55))])
        #expect(try SessionCut.untilIdle(idle) == .between(nil, .time(Seconds(25))))
        let outline = try SessionOutline(idle, cut: .untilIdle(idle), columns: 20, Registry.pieces)
        #expect(outline.duration == Seconds(25) && outline.rest == Seconds(30))
        // A household's is over when thrumd is stopped, or its day; a tick in it may have told something.
        #expect(try SessionCut.untilIdle(journal(events + [.end(.shutdown, at: frame(55))])) == .between(nil, .time(Seconds(25))))
        let tick = JournalEntry.event(Event(client: .engine, .tick(CivilTime(instant: 1_767_225_600, utcOffset: 0))), at: frame(30))
        #expect(try SessionCut.untilIdle(journal(events + [tick, .end(.idle, at: frame(55))])) == .between(nil, .time(Seconds(45))))
        #expect(try SessionCut.untilIdle(journal(events + [.end(.idle, at: frame(26))])) == .whole)
        #expect(try SessionCut.untilIdle(journal(events)) == .whole)
    }

    @Test func `a piece's own rows are those that it declares`() throws {
        let demonstration = try #require(ColorScroller.declaration.demonstration)
        var simulation = Simulation(ColorScroller.self, demonstration.visitor, seed: 3, turns: 20, idle: Seconds(3),
                                    theme: demonstration.theme, knobs: demonstration.knobs)
        var (entries, unlocked): ([JournalEntry], [Frame]) = ([], [])
        while let step = simulation.next() {
            entries.append(step.entry)
            for announcement in step.announcements where announcement.topic == "unlock" {
                if case .event(_, let frame, _, _) = step.entry { unlocked.append(frame) }
            }
        }
        let outline = try SessionOutline(try journal(entries), columns: 20, Registry.pieces)
        let unlocks = outline.rows.filter { $0.title.hasSuffix(" unlocks") }.flatMap(\.moments)
        #expect(!unlocked.isEmpty && unlocks.map(\.at).sorted() == unlocked.map { SampleRate.standard.seconds(in: $0 - .zero) })
        #expect(unlocks.allSatisfy { !$0.label.isEmpty })
    }
}
