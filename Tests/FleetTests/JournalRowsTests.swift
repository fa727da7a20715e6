import Calendar
import Fields
import Fleet
import Journal
import Signals
import Testing
import Units

@Suite struct JournalRowsTests {
    private func header(started: String) throws -> JournalHeader {
        JournalHeader(sampleRate: try #require(SampleRate(48_000)), seed: 7, experience: "colorscroller", started: started, theme: .standard,
                      rules: JournalHeader.Rules(version: 3, opening: []))
    }

    private func rows(started: String = "2026-01-01T12:00:00Z", events: Set<String> = ["feed.scroll"]) throws -> JournalRows {
        JournalRows(try header(started: started), of: "2026-01-01T12-00-00Z", events: events)
    }

    private func action(_ name: String, _ fields: [String: JSONValue] = [:]) -> EventKind { .action(Action(UncheckedAction(name: name, fields: fields))) }

    private func event(_ kind: EventKind, at frame: Int64, cues: [Cue] = [], logOdds: Double? = nil) -> JournalEntry {
        .event(Event(client: Client(number: 1), kind), at: Frame(frame), gave: JournalEntry.Outcome(cues: cues, logOdds: logOdds))
    }

    @Test func `a journal is named by its file and its seed`() throws { #expect(try rows().journal == "2026-01-01T12-00-00Z/7") }

    /// The number of microseconds by `date -d 2026-01-01T12:00:00Z +%s`.
    @Test func `a row has its line, its frame and its instant`() throws {
        let row = try rows().row(event(action("feed.scroll", ["index": .integer(3)]), at: 24_001, logOdds: -1.5), line: 12)
        #expect(row == JournalRow(line: 12, frame: 24_001, instant: 1_767_268_800_500_020, event: "feed.scroll",
                                  fields: ["index": .integer(3), "margin": .number(-1.5)]))
    }

    @Test func `a row has the chimes that were heard because of it, and no other cues`() throws {
        let cues: [Cue] = [.tonePitch(Hertz(240), glide: Seconds(0.01)), .chime("unlock"), .haptic("unlock"), .chime("ding")]
        let row = try rows().row(event(action("feed.scroll", ["index": .integer(3)]), at: 0, cues: cues), line: 2)
        #expect(row?.fields == ["index": .integer(3), "chimes": .list([.text("unlock"), .text("ding")])])
    }

    /// By `date -d … +%s`.
    @Test(arguments: [("1970-01-01T00:00:00Z", 0), ("2000-02-29T23:59:59Z", 951_868_799), ("2024-03-01T00:00:00Z", 1_709_251_200),
                      ("2100-03-01T00:00:00Z", 4_107_542_400), ("9999-12-31T00:00:00Z", 253_402_214_400)])
    func `instants follow the calendar`(text: String, seconds: Int) throws {
        #expect(try rows(started: text).row(.end(.idle, at: .zero), line: 2)?.instant == seconds * 1_000_000)
    }

    @Test(arguments: ["simulated", "2026-13-01T12:00:00Z", "2026-01-01 12:00:00", "1969-12-31T23:59:59Z", ""])
    func `a session that began at no known time counts from 1970 on`(text: String) throws {
        #expect(try rows(started: text).row(.end(.idle, at: Frame(48_000)), line: 2)?.instant == 1_000_000)
    }

    @Test func `only events that were asked for leave the box`() throws {
        let rows = try rows(events: ["feed.scroll", "pet.name"])
        #expect(try rows.row(event(action("pet.name"), at: 0), line: 2)?.event == "pet.name")
        let others = [action("piggy.secret"), .touch(Touch(.began)), .mark("Mr X"), .stop, .chime(name: "feed.scroll")]
        for kind in others { #expect(try rows.row(event(kind, at: 0), line: 2) == nil, "\(kind)") }
        #expect(try rows.row(.checkpoint(sounds: [:], at: .zero), line: 2) == nil)
    }

    @Test func `an event of the engine has its fields in a row, as in a journal`() throws {
        let swipe = event(.swipe(Swipe(.up, velocity: 2)), at: 480, logOdds: 0.25)
        #expect(try rows(events: ["swipe"]).row(swipe, line: 4)?.fields == ["direction": .text("up"), "velocity": .integer(2), "margin": .number(0.25)])
        #expect(try rows(events: ["arrival"]).row(event(.arrival(Arrival(CivilTime(instant: 0, utcOffset: 0))), at: 0), line: 2) == nil, "not even if asked for")
    }

    @Test func `a session's beginning, end and discontinuities are rows`() throws {
        let rows = try rows(events: [])
        let began = try #require(try rows.row(.header(header(started: "simulated")), line: 1))
        #expect(began.event == "run.began" && began.fields["experience"] == .text("colorscroller") && began.fields["rules"] == .integer(3))
        #expect(began.fields["theme"] == .text("standard"))
        #expect(try rows.row(.end(.idle, at: Frame(9)), line: 5)?.fields == ["end": .text("idle")])
        #expect(try rows.row(.discontinuity(.lost(entries: 4), at: Frame(9)), line: 3)?.fields == ["kind": .text("lost"), "count": .integer(4)])
        #expect(try rows.row(.discontinuity(.gap(nil), at: Frame(9)), line: 3)?.fields == ["kind": .text("gap"), "count": .null])
    }

    @Test func `a NUL in a visitor's text does not stop the hub`() throws {
        let row = try rows().row(event(action("feed.scroll", ["a\0": .list([.text("x\0y")])]), at: 0), line: 2)
        #expect(row?.fields == ["a\u{FFFD}": .list([.text("x\u{FFFD}y")])])
    }

    @Test func `a time after the year 9999 is a fault`() throws {
        let rows = try rows(started: "9999-12-31T00:00:00Z")
        #expect(throws: Fault.self) { try rows.row(event(action("feed.scroll"), at: 86_400 * 48_000), line: 2) }
    }
}
