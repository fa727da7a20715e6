import Calendar
import Foundation
import Journal
import Offline
import Registry
import Signals
import SystemPackage
import Testing
import TestSupport
import Units

@Suite struct SessionComparisonTests {
    private let scratch: Scratch

    init() throws { scratch = try Scratch() }

    /// A second of a tone, and a remark or a chime in its middle.
    private func session(_ name: String, started: String = "then", theme: Theme = .standard, middle: EventKind = .mark("here"),
                         level: Double = -12, cues: [Cue]? = nil, frames: Int64 = 8_000, model: JournalHeader.Model? = nil,
                         logOdds: Double? = nil) throws -> FilePath {
        let rules = cues.map { _ in JournalHeader.Rules(version: 1, opening: []) }
        let header = JournalHeader(sampleRate: try #require(SampleRate(8_000)), seed: 7, experience: "direct", started: started, theme: theme,
                                   rules: rules, model: model)
        let tone = EventKind.tone(ToneRequest(on: true, frequency: Hertz(440), level: Decibels(level)))
        let entries: [JournalEntry] = [
            .header(header), .event(Event(client: .connection(1), tone), at: Frame(0), gave: cues.map { .init(cues: $0) }),
            .event(Event(client: .connection(1), middle), at: Frame(4_000), gave: cues.map { _ in .init(cues: [], logOdds: logOdds) }),
            .end(.idle, at: Frame(frames)),
        ]
        return FilePath(try scratch.write(entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined(), to: name))
    }

    private func compare(_ a: FilePath, _ b: FilePath) throws -> SessionComparison { try SessionComparison(a, b, Registry.pieces) }

    @Test func `sessions that differ only in when they began are the same`() throws {
        let same = try compare(session("a.jsonl"), session("b.jsonl", started: "later"))
        #expect(same.isSame && same.first.events == 2 && same.first.seconds == 1 && same.first.end == "idle")
    }

    /// A second with the times that a piece is told, of a session that begins at `instant`.
    private func timed(_ name: String, at instant: Double, utcOffset: Int = 3_600, tick: Double = 0.5, middle: String = "here",
                       started: String = "then") throws -> FilePath {
        let header = JournalHeader(sampleRate: try #require(SampleRate(8_000)), seed: 7, experience: "direct", started: started, theme: .standard,
                                   rules: JournalHeader.Rules(version: 1, opening: []))
        func time(_ seconds: Double) -> CivilTime { CivilTime(instant: instant + seconds, utcOffset: utcOffset) }
        let entries: [JournalEntry] = [
            .header(header), .event(Event(client: .engine, .arrival(Arrival(time(0)))), at: Frame(0), cues: []),
            .event(Event(client: .engine, .tick(time(tick))), at: Frame(4_000), cues: []),
            .event(Event(client: .connection(1), .mark(middle)), at: Frame(6_000), cues: []), .end(.idle, at: Frame(8_000)),
        ]
        return FilePath(try scratch.write(entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined(), to: name))
    }

    @Test func `what time it was is no difference, and hides none, but how much time has gone by is one`() throws {
        let first = try timed("a.jsonl", at: 1_780_000_000.25)
        let same = try compare(first, timed("b.jsonl", at: 1_795_678_901.123456, utcOffset: 7_200, started: "later"))
        #expect(same.isSame && same.first.started == "then" && same.second.started == "later", "\(same)")
        let other = try compare(first, timed("b.jsonl", at: 1_795_678_901.123456, middle: "there"))
        #expect(other.events?.seconds == 0.75 && other.events?.second?.contains("there") == true, "\(other)")
        let slow = try compare(first, timed("b.jsonl", at: 1_795_678_901.123456, tick: 0.75))
        #expect(slow.events?.seconds == 0.5 && slow.events?.second?.contains("\"tick\"") == true, "\(slow)")
    }

    @Test func `the first event that differs is named, and from where it is heard`() throws {
        let chime = try compare(session("a.jsonl"), session("b.jsonl", middle: .chime(name: "ding")))
        #expect(!chime.isSame && chime.events?.seconds == 0.5 && chime.cues == nil)
        #expect(chime.events?.first?.contains("\"text\":\"here\"") == true && chime.events?.second?.contains("\"name\":\"ding\"") == true)
        let heard = try #require(chime.sound)
        #expect(heard.seconds >= 0.5 && heard.seconds < 0.51 && (heard.largest ?? 0) < -10)
        // A remark is heard by nobody.
        let remark = try compare(session("a.jsonl"), session("b.jsonl", middle: .mark("there")))
        #expect(!remark.isSame && remark.events != nil && remark.sound == nil)
    }

    @Test func `the same events may have had other cues`() throws {
        let open = Cue.toneGate(open: true)
        let other = try compare(session("a.jsonl", cues: [.tonePitch(Hertz(440), glide: .zero), open]),
                                session("b.jsonl", cues: [.tonePitch(Hertz(441), glide: .zero), open]))
        #expect(!other.isSame && other.events == nil && other.cues?.seconds == 0 && other.sound != nil)
        #expect(other.cues?.first?.contains("440") == true && other.cues?.second?.contains("441") == true)
    }

    @Test func `other models and margins are differences, also where the cues are the same`() throws {
        let open = Cue.toneGate(open: true)
        func session(_ name: String, _ model: JournalHeader.Model?, logOdds: Double?, cues: [Cue]? = nil) throws -> FilePath {
            try self.session(name, cues: cues ?? [open], model: model, logOdds: logOdds)
        }
        let own = JournalHeader.Model(name: "rising")
        let a = try session("a.jsonl", own, logOdds: 0.5)
        #expect(try compare(a, session("b.jsonl", own, logOdds: 0.5)).isSame)
        let other = try compare(a, session("b.jsonl", own, logOdds: 0.75))
        #expect(!other.isSame && other.events == nil && other.cues == nil && other.sound == nil && other.margins?.seconds == 0.5)
        #expect(other.margins?.first?.contains("\"margin\":0.5") == true && other.margins?.second?.contains("\"margin\":0.75") == true)
        let none = try compare(a, session("b.jsonl", nil, logOdds: nil))
        #expect(none.margins?.seconds == 0.5 && none.first.model == "rising" && none.second.model == nil)
        let both = try compare(a, session("b.jsonl", own, logOdds: 0.75, cues: [open, open]))
        #expect(both.cues?.seconds == 0 && both.margins?.seconds == 0.5)
        let digest = String(repeating: "a", count: 64)
        let learned = try compare(a, session("b.jsonl", JournalHeader.Model(name: "rising", digest: digest), logOdds: 0.5))
        #expect(!learned.isSame && learned.margins == nil && learned.second.model == "rising \(digest)")
    }

    @Test func `a longer session differs where the other has ended`() throws {
        let longer = try compare(session("a.jsonl"), session("b.jsonl", frames: 9_600))
        #expect(longer.events?.seconds == 1 && longer.sound?.seconds == 1 && longer.sound?.largest == nil)
        #expect(longer.first.seconds == 1 && longer.second.seconds == 1.2)
    }

    @Test func `only what is in the part is compared, by times since each session's start`() throws {
        let (a, b) = (try session("a.jsonl"), try session("b.jsonl", middle: .chime(name: "ding")))
        // The middle is at half a second, and rings on.
        let before = try SessionComparison(a, b, cut: .between(nil, .time(Seconds(0.5))), Registry.pieces)
        #expect(before.isSame && before.first.events == 1 && before.first.seconds == 0.5)
        let late = try SessionComparison(a, b, cut: .between(.time(Seconds(0.75)), nil), Registry.pieces)
        #expect(!late.isSame && late.events == nil && late.first.events == 0 && late.first.end == "idle")
        #expect((0.75..<0.76).contains(try #require(late.sound).seconds))
    }

    @Test func `another theme is a difference, also where nothing of it is heard`() throws {
        var named = Theme.standard
        named.name = "mine"
        let other = try compare(session("a.jsonl"), session("b.jsonl", theme: named))
        #expect(!other.isSame && other.events == nil && other.sound == nil && other.second.theme == "mine")
    }
}
