import Calendar
import Fields
import Journal
import Signals
import Testing
import Units

private let pattern = HapticPattern(events: [HapticEvent(time: .zero, kind: .transient, intensity: 0.5, sharpness: 0.25)])
private let civilTime = CivilTime(instant: 1_767_225_600.5, utcOffset: 3_600)

/// One of each kind. Where a kind is added, the compiler asks for it in `next`.
private func all() -> [EventKind] {
    var kinds: [EventKind] = [.touch(Touch(.began, finger: 3, x: 0.25, y: 0.5))]
    while let last = kinds.last, let next = next(after: last) { kinds.append(next) }
    return kinds
}

private func next(after kind: EventKind) -> EventKind? {
    switch kind {
    case .touch: .tap(Tap(x: 0.25, y: 0.5))
    case .tap: .swipe(Swipe(.down, velocity: 2, deceleration: -3))
    case .swipe: .action(Action(UncheckedAction(name: "cat.treat", fields: ["kind": .text("fish")])))
    case .action: .tone(ToneRequest(on: true, frequency: Hertz(440), level: Decibels(-6), glide: Seconds(0.5)))
    case .tone: .chime(name: "ding")
    case .chime: .texture(name: "purr-weak", on: true)
    case .texture: .noise(Decibels(-20))
    case .noise: .haptic(name: "swipe")
    case .haptic: .pattern(pattern)
    case .pattern: .knob(KnobChange("force-unlock-all", .flag(true)))
    case .knob: .mute(true)
    case .mute: .ceiling(Decibels(-9))
    case .ceiling: .volume(Decibels(-20), fade: Seconds(2))
    case .volume: .theme(.standard)
    case .theme: .start
    case .start: .mark("here")
    case .mark: .stop
    case .stop: .arrival(Arrival(civilTime, memory: .object(["lastScore": .integer(7)])))
    case .arrival: .configuration(PublishedDocument(kind: "prices", version: 3, body: .object(["cure": .list([.integer(120), .number(0.5)])])))
    case .configuration: .tick(civilTime)
    case .tick: .visit(.ended)
    case .visit: .touchOwner(.engine)
    case .touchOwner: .left
    case .left: nil
    }
}

@Suite struct EventKindLineTests {
    private let header = JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "then", theme: .standard,
                                       rules: JournalHeader.Rules(version: 1, opening: []))

    @Test func `every kind of event is read back as it was written, and only a piece's own has a name of its own`() throws {
        var reader = JournalReader()
        _ = try reader.read(JournalLine.encode(.header(header)).dropLast()[...])
        for kind in all() {
            let entry = JournalEntry.event(Event(client: .connection(1), kind), at: Frame(9), due: Frame(8), cues: [])
            #expect(try reader.read(JournalLine.encode(entry).dropLast()[...]) == entry)
        }
        let names = all().filter { if case .action = $0 { false } else { true } }.map(\.name)
        #expect(Set(names) == Set(EventKind.all))
    }

    @Test func `what stands beside an event's fields is refused as an action's own`() throws {
        let line = String(decoding: JournalLine.encode(.event(Event(client: .connection(1), .stop), at: Frame(9), due: Frame(8), cues: [.stop])),
                          as: UTF8.self)
        let names = line.split(separator: "\"").filter { line.contains("\"\($0)\":") && $0 != "cue" }.map(String.init)
        #expect(Set(names) == ["client", "cues", "due", "event", "frame"] && Set(names).isSubset(of: EventKind.fieldsAround))
    }

    /// Else an action with such a field would be read as a line of another kind, or as a signed one.
    @Test(arguments: [JournalEntry.checkpoint(sounds: [:], at: Frame(1)), .end(.shutdown, at: Frame(1)), .discontinuity(.gap(nil), at: Frame(1))])
    func `what makes a line another than an event's is refused as an action's own`(_ entry: JournalEntry) {
        let line = String(decoding: JournalLine.encode(entry), as: UTF8.self)
        let names = line.split(separator: "\"").map(String.init).filter { line.contains("\"\($0)\":") }
        #expect(names.count >= 2 && Set(names).isSubset(of: EventKind.fieldsAround), "\(line)")
        #expect(EventKind.fieldsAround.contains("signature"))
    }
}
