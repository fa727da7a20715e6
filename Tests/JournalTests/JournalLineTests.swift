import Calendar
import ColorScroller
import Fields
import Foundation
import Journal
import Signals
import Testing
import Units

private let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "2026-01-02T03:04:05Z",
                                   theme: .standard)

private let events: [JournalEntry] = [
    .event(Event(client: .connection(1), .touch(Touch(.began, finger: 2, x: 0.5, y: 0.125))), at: Frame(0)),
    .event(Event(client: .connection(1), .touch(Touch(.moved, finger: 2))), at: Frame(100)),
    .event(Event(client: .connection(2), .action(Action(UncheckedAction(name: "feed.update", fields: ["blocksViewed": .integer(12)])))), at: Frame(100)),
    .event(Event(client: .connection(2), .swipe(Swipe(.down, velocity: 3.5))), at: Frame(200)),
    .event(Event(client: .connection(1), .tone(ToneRequest(on: true, frequency: Hertz(440.5), level: Decibels(-12), glide: Seconds(0.1)))),
           at: Frame(300)),
    .event(Event(client: .connection(1), .chime(name: "unlock")), at: Frame(400)),
    .event(Event(client: .connection(1), .left), at: Frame(500)),
    .event(Event(client: .engine, .stop), at: Frame(600)),
    .end(.shutdown, at: Frame(1080)),
]

private func text(_ entries: [JournalEntry]) -> String {
    String(decoding: entries.flatMap { JournalLine.encode($0) }, as: UTF8.self)
}

/// All entries of whole lines, and how it ended.
private func read(_ text: String) throws -> (entries: [JournalEntry], ending: JournalReader.Ending) {
    var reader = JournalReader()
    var entries: [JournalEntry] = []
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let last = lines.removeLast()
    for line in lines { entries.append(try reader.read(Array(line.utf8)[...])) }
    if !last.isEmpty, let entry = try reader.readLast(Array(last.utf8)) { entries.append(entry) }
    return (entries, reader.ending)
}

@Suite struct JournalLineTests {
    @Test func `seeds are counted up to the last, which is one of them, and on from 0`() {
        let last = JournalHeader.seeds.upperBound
        #expect(JournalHeader.seed(0, after: last) == last && JournalHeader.seed(1, after: last - 1) == last)
        #expect(JournalHeader.seed(1, after: last) == 0 && JournalHeader.seed(99_999, after: 1) == 100_000)
    }

    @Test func `what is written is read back the same`() throws {
        let all = [.header(header)] + events
        let (entries, ending) = try read(text(all))
        #expect(entries == all)
        #expect(ending == .complete)
    }

    @Test func `lines are spelled as the documentation has them`() {
        #expect(text([events[0]]) == #"{"client":1,"event":"touch","frame":0,"id":2,"phase":"began","x":0.5,"y":0.125}"# + "\n")
        #expect(text([events[8]]) == #"{"end":"shutdown","frame":1080}"# + "\n")
        #expect(text([.header(header)]).hasPrefix(
            #"{"experience":"direct","format":"thrum-journal","sampleRate":48000,"seed":7,"started":"2026-01-02T03:04:05Z","theme":{"#))
    }

    @Test func `cut at any byte, it reads up to the cut, and in its header it is no journal`() throws {
        let bytes = Array(text([.header(header)] + events).utf8)
        let headerEnd = try #require(bytes.firstIndex(of: UInt8(ascii: "\n")))
        for cut in 1..<headerEnd {
            #expect(throws: JournalReader.cutHeader, "cut at \(cut)") { try read(String(decoding: bytes[..<cut], as: UTF8.self)) }
        }
        var wholeLines = 0
        for cut in headerEnd..<bytes.count {
            if cut > 0, bytes[cut - 1] == UInt8(ascii: "\n") { wholeLines += 1 }
            let (entries, ending) = try read(String(decoding: bytes[..<cut], as: UTF8.self))
            // A line that lacks its newline only is whole all the same.
            let isWhole = bytes[cut] == UInt8(ascii: "\n")
            #expect(entries.count == wholeLines + (isWhole ? 1 : 0), "cut at \(cut)")
            let isEnd = cut == bytes.count - 1
            #expect((ending == .complete) == isEnd, "cut at \(cut)")
        }
    }

    @Test(arguments: [
        (#"{"frame":0,"event":"touch","phase":"up"}"#, "phase", "one of began, moved, ended"),
        (#"{"frame":0,"event":"tone","frequency":"x"}"#, "frequency", "a number from 20 to 5000 (Hz)"),
        (#"{"frame":-1,"event":"stop"}"#, "frame", "a whole number from 0 to 9007199254740992"),
        (#"{"event":"stop"}"#, "frame", "a whole number from 0 to 9007199254740992"),
        (#"{"frame":0,"event":"stop","why":1}"#, "why", "only frame, event, client, due, sum"),
        (#"{"frame":0,"due":-1,"event":"stop"}"#, "due", "a whole number from 0 to 9007199254740992"),
        (#"{"frame":0,"event":"param.set","name":"chance-late","value":"2"}"#, "value", "a number, or true or false"),
        (#"{"frame":0,"event":"arrival","time":0}"#, "utcOffset", "a whole number from -86399 to 86399"),
        (#"{"frame":0,"end":"bored"}"#, "end", "one of idle, request, shutdown, rollover"),
        (#"{"frame":0,"lapse":"nap"}"#, "lapse", "one of gap, late, lost"),
        (#"{"frame":0,"discontinuity":"nap"}"#, "discontinuity", "one of gap, late, lost"),
        (#"{"frame":0,"discontinuity":"gap","lapse":"late"}"#, "lapse", "gap, as discontinuity"),
        (#"{"frame":0,"lapse":"late"}"#, "frames", "a whole number from 0 to 9007199254740992"),
        (#"{"frame":0,"lapse":"gap","entries":1}"#, "entries", "only frame, discontinuity, lapse, frames, sum"),
        (#"{"frame":0,"lapse":"lost"}"#, "entries", "a whole number from 1 to 9007199254740992"),
        (#"{"frame":0,"lapse":"lost","entries":0}"#, "entries", "a whole number from 1 to 9007199254740992"),
        (#"{"frame":0,"lapse":"lost","entries":1,"frames":1}"#, "frames", "only frame, discontinuity, lapse, entries, sum"),
        (#"{"frame":0,"event":"stop","sum":7}"#, "sum", "text of 1 to 256 characters"),
        ("not json", "", "one JSON object"),
        ("", "", "one JSON object"),
    ])
    func `a bad line is named by its number and field`(line: String, field: String, expected: String) throws {
        let whole = text([.header(header), events[0]]) + line + "\n" + text([events[8]])
        let fault = try #require(throws: JournalFault.self) { try read(whole) }
        #expect(fault.line == 3)
        #expect(fault.fault.field == field)
        #expect(fault.fault.expected == expected)
        #expect(fault.description(file: "a.jsonl").hasPrefix("a.jsonl:3: "))
    }

    private let newYear = CivilTime(instant: 1_767_225_600, utcOffset: -3600)

    @Test func `a session of ColorScroller has lines of its own`() throws {
        let knobs = KnobSettings(["toast-cooldown": .number(5)])
        let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "colorscroller", started: "now", theme: .standard, knobs: knobs)
        let entries: [JournalEntry] = [
            .header(header),
            .event(Event(client: .engine, .arrival(Arrival(newYear, memory: .object(["lastScore": .integer(12)])))), at: Frame(0)),
            .event(Event(client: .connection(1), .action(Action(FeedScroll(to: 3, velocity: 1.5)))), at: Frame(30), due: Frame(20)),
            .event(Event(client: .connection(1), .knob(KnobChange("force-unlock-all", .flag(true)))), at: Frame(40), due: Frame(41)),
            .end(.idle, at: Frame(600)),
        ]
        // An action is carried as it stands, and read by its piece.
        #expect(text(try read(text(entries)).0) == text(entries))
        #expect(text(entries).split(separator: "\n")[1...] == [
            #"{"client":0,"event":"arrival","frame":0,"memory":{"lastScore":12},"time":1767225600,"utcOffset":-3600}"#,
            #"{"client":1,"due":20,"event":"feed.scroll","frame":30,"index":3,"velocity":1.5}"#,
            #"{"client":1,"due":41,"event":"param.set","frame":40,"name":"force-unlock-all","value":true}"#,
            #"{"end":"idle","frame":600}"#,
        ])
        // Journals of version 1 have the score by itself.
        let old = text([entries[0]]) + #"{"frame":0,"event":"arrival","time":1767225600,"utcOffset":-3600,"lastScore":12}"# + "\n"
        #expect(try read(old).0 == Array(entries[0...1]))
        // What an experience is told of the time never goes back, either.
        let back = try #require(throws: JournalFault.self) {
            try read(text([entries[0], entries[3], .event(Event(client: .connection(1), .stop), at: Frame(50), due: Frame(40))]))
        }
        #expect(back.fault.field == "due" && back.line == 3)
    }

    @Test func `what was heard amiss has its lines`() throws {
        let discontinuities = [JournalEntry.discontinuity(.late(FrameCount(12)), at: Frame(5)), .discontinuity(.gap(nil), at: Frame(7)),
                      .discontinuity(.gap(FrameCount(480)), at: Frame(7))]
        let lines = text(discontinuities).split(separator: "\n")
        #expect(lines == [#"{"discontinuity":"late","frame":5,"frames":12}"#, #"{"discontinuity":"gap","frame":7}"#,
                          #"{"discontinuity":"gap","frame":7,"frames":480}"#])
        let (entries, _) = try read(text([.header(header)] + discontinuities))
        #expect(entries == [.header(header)] + discontinuities)
        // A journal of Thrum 0.1.0 has the older word, and journals since then may have both.
        for word in [#""lapse":"#, #""discontinuity":"#] {
            let alone = [#"{"frame":5,"frames":12,"# + word + #""late"}"#, #"{"frame":7,"# + word + #""gap"}"#,
                         #"{"frame":7,"frames":480,"# + word + #""gap"}"#].joined(separator: "\n") + "\n"
            #expect(try read(text([.header(header)]) + alone).entries == entries)
        }
        let both = #"{"discontinuity":"late","frame":5,"frames":12,"lapse":"late"}"# + "\n"
        #expect(try read(text([.header(header)]) + both).entries == [.header(header), discontinuities[0]])
        // They are told when they are known: their frames need not be in order.
        #expect(throws: Never.self) { try read(text([.header(header), discontinuities[1], discontinuities[0], events[0]])) }
    }

    @Test func `entries that are missing have a line, which stands where its frame says`() throws {
        let lost = JournalEntry.discontinuity(.lost(entries: 12), at: Frame(250))
        #expect(text([lost]) == #"{"discontinuity":"lost","entries":12,"frame":250}"# + "\n")
        let whole = [.header(header)] + events[..<4] + [lost] + events[4...]
        #expect(try read(text(whole)).entries == whole)
        let early = try #require(throws: JournalFault.self) { try read(text([.header(header), events[4], lost])) }
        #expect(early.line == 3 && early.fault.field == "frame" && early.fault.expected.hasPrefix("at least 300"))
        let late = try #require(throws: JournalFault.self) { try read(text([.header(header), lost, events[3]])) }
        #expect(late.line == 3 && late.fault.field == "frame")
    }

    @Test(arguments: [
        (#""version":1"#, #""version":3"#, "version"), (#""thrum-journal""#, #""other""#, "format"),
        (#""sampleRate":48000"#, #""sampleRate":1"#, "sampleRate"), (#""seed":7"#, #""seed":-7"#, "seed"),
        (#""direct""#, #""""#, "experience"), (#""cap":5000"#, #""cap":50000"#, "theme.toneCurve.cap"),
        (#""seed":7"#, #""seed":7,"mood":1"#, "mood"),
    ])
    func `a bad header is named by its field`(good: String, bad: String, field: String) throws {
        let whole = text([.header(header)]).replacingOccurrences(of: good, with: bad)
        let fault = try #require(throws: JournalFault.self) { try read(whole) }
        #expect(fault.line == 1)
        #expect(fault.fault.field == field)
    }

    @Test(arguments: ["xx", "\0\0\0\0\0\0", "{\"fra", "{"])
    func `whatever is left of a torn last line, the lines before it count`(rest: String) throws {
        let (entries, ending) = try read(text([.header(header), events[0]]) + rest)
        #expect(entries == [.header(header), events[0]])
        #expect(ending == .cut(line: 3))
    }

    @Test(arguments: ["xx", "{\"a\":1", "{\"format\":\"other\",\"ver", "RIFF\0\0"])
    func `a file that does not begin as a journal is none, however short`(text: String) throws {
        let fault = try #require(throws: JournalFault.self) { try read(text) }
        #expect(fault.line == 1)
    }

    @Test func `frames may stand still but not go back`() throws {
        #expect(throws: Never.self) { try read(text([.header(header), events[1], events[2]])) }
        let fault = try #require(throws: JournalFault.self) { try read(text([.header(header), events[2], events[0]])) }
        #expect(fault == JournalFault(line: 3, fault: Fault(field: "frame", expected: "at least 100, the frame of the line before",
                                                            found: "0")))
    }

    @Test func `nothing may follow the end`() throws {
        let fault = try #require(throws: JournalFault.self) { try read(text([.header(header), events[8], events[8]])) }
        #expect(fault.line == 3)
    }
}

/// An action with every kind of value. Values are chosen where a reader might round, reorder or retype them.
private struct Medley: ActionBody {
    var name: String { "medley.play" }

    func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        try container.encode(Int64.min, forKey: Fields.Key("least"))
        try container.encode(Int64.max, forKey: Fields.Key("most"))
        try container.encode(1.0, forKey: Fields.Key("one"))
        try container.encode(-0.0, forKey: Fields.Key("zero"))
        try container.encode(0.1, forKey: Fields.Key("tenth"))
        try container.encode(1e300, forKey: Fields.Key("huge"))
        try container.encode("\u{0}\"\\/é\u{1F3B5}", forKey: Fields.Key("text"))
        try container.encode(true, forKey: Fields.Key("flag"))
        try container.encodeNil(forKey: Fields.Key("nothing"))
        try container.encode([[1, 2], []], forKey: Fields.Key("lists"))
        try container.encode(["b": ["x": 0.5], "a": [:]], forKey: Fields.Key("objects"))
        try container.encode("", forKey: Fields.Key(""))
    }
}

@Suite struct UncheckedActionTests {
    @Test func `an action of a piece that nobody knows is written back as it was read`() throws {
        let written = text([.event(Event(client: .connection(3), .action(Action(Medley()))), at: Frame(7), due: Frame(5))])
        let entry = try #require(JournalLine.decodeIfWhole(Array(written.utf8.dropLast())))
        guard case .event(let event, _, _, _) = entry, case .action(let action) = event.kind else { Issue.record("\(entry)"); return }
        #expect(action.body is UncheckedAction)
        #expect(text([entry]) == written)
    }

    @Test(arguments: [#""from":1,"from":2"#, #""frame":0"#, #""event":"x.y""#, #""client":1"#, #""at":{"x":1,"x":2}"#, #""at":[{"x":1,"x":1}]"#])
    func `an action that has a field twice is refused by the field's name`(fields: String) throws {
        let line = #"{"frame":0,"event":"x.y","client":1,\#(fields)}"#
        var reader = JournalReader()
        _ = try reader.read(JournalLine.encode(.header(header)).dropLast())
        let fault = try #require(throws: JournalFault.self) { try reader.read(Array(line.utf8)[...]) }
        let name = try #require(fields.firstMatch(of: /[a-z]+(?=":[^{\[]*$)/)).output
        #expect(fault.fault.field.hasSuffix(name) && fault.fault.found == "several", "\(fault)")
    }
}
