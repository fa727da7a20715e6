import Calendar
import ColorScroller
import Conductor
import Direct
import Experience
import Fields
import Journal
import Signals
import Testing
import Units

@Suite struct ConductorTests {
    private let output = RecordedOutput()
    private var conductor: Conductor

    init() { conductor = Conductor(directlyInto: output) }

    private mutating func handle(_ event: Event, at frame: Int64, placed: Int64? = nil) throws -> Frame? {
        try conductor.handle(event, at: frame, placed: placed, in: output)
    }

    @Test mutating func `the first event begins a session at its own frame 0`() throws {
        #expect(try handle(began(), at: 1_000_000) == Frame(0))
        #expect(try handle(ended(), at: 1_004_800) == Frame(4_800))
        guard case .header(let header) = output.journal[0] else { Issue.record("no header"); return }
        #expect(header.seed == 41)
        #expect(header.theme == .standard)
        #expect(output.journal[1...] == [.event(began(), at: Frame(0)), .event(ended(), at: Frame(4_800))])
        guard case .reset = output.synth[0].command else { Issue.record("no reset"); return }
        #expect(output.synth[0].frame == Frame(1_000_000))
        #expect(output.gates.map(\.0) == [1_000_000, 1_004_800])
        #expect(output.haptics == ["touch-down", "touch-up"])
    }

    @Test mutating func `a texture is felt as long as it is held, and ends with its client, a stop and the visit`() throws {
        func texture(_ client: Int, on: Bool) -> Event { Event(client: Client(number: client), .texture(name: "purr-tired", on: on)) }
        _ = try handle(texture(1, on: true), at: 0)
        _ = try handle(texture(2, on: true), at: 100)
        _ = try handle(texture(2, on: false), at: 200)
        _ = try handle(Event(client: Client(number: 1), .left), at: 300)
        _ = try handle(texture(1, on: true), at: 400)
        _ = try handle(Event(client: Client(number: 2), .stop), at: 500)
        _ = try handle(texture(1, on: true), at: 600)
        conductor.advance(to: Frame(600 + 45 * 48_000))
        #expect(output.textures == ["+purr-tired", "-purr-tired", "+purr-tired", "stop", "+purr-tired", "stop"])
    }

    @Test mutating func `the journal says whose touches count, from a session's beginning, and when that changes`() throws {
        func owner(_ owner: TouchOwner) -> Event { Event(client: .engine, .touchOwner(owner)) }
        #expect(try handle(owner(.engine), at: 0) == nil, "nobody is there")
        _ = try conductor.handle(began(-1), at: Due(Frame(1_000)))
        for _ in 0..<2 { _ = conductor.placed(at: Frame(1_000)) }
        #expect(try handle(owner(.page), at: 2_000) == Frame(1_000))
        #expect(output.journal[1...] == [.event(owner(.engine), at: Frame(0)), .event(began(-1), at: Frame(0)), .event(owner(.page), at: Frame(1_000))])
        #expect(conductor.touchOwner == .page)
        // Nobody is there because of it.
        _ = try handle(ended(-1), at: 3_000)
        conductor.advance(to: Frame(3_000 + 44 * 48_000))
        _ = try handle(owner(.engine), at: 3_000 + 44 * 48_000)
        conductor.advance(to: Frame(3_000 + 45 * 48_000))
        #expect(conductor.visit == nil)
    }

    @Test mutating func `the journal says at which frame an event took effect, and the asker by how much that is late`() throws {
        _ = try conductor.handle(began(), at: Due(Frame(1_000)), ticket: 5)
        _ = try conductor.handle(ended(), at: Due(Frame(2_000), deadline: Frame(2_100)), ticket: 6)
        #expect(output.journal.isEmpty, "nothing is known yet")
        #expect(conductor.placed(at: Frame(1_010)) == Conductor.Placement(ticket: 5, position: Frame(0), lateness: FrameCount(10)))
        #expect(conductor.placed(at: Frame(2_000)) == Conductor.Placement(ticket: 6, position: Frame(990), lateness: .zero))
        #expect(output.journal[1...] == [.event(began(), at: Frame(0)), .event(ended(), at: Frame(990), due: Frame(1_000))])
    }

    @Test mutating func `a theme counts from its event on, and in sessions to come, under the ceiling somebody has asked for`() throws {
        var quiet = Theme.standard
        quiet.name = "quiet"
        quiet.ceiling = Decibels(-20)
        quiet.toneCurve.points[0].frequency = Hertz(300)
        quiet.toneFade = .milliseconds(30)
        quiet.tonePartials = [TonePartial(ratio: 2)]
        _ = try handle(began(), at: 0)
        #expect(try handle(Event(client: .engine, .theme(quiet)), at: 100) == Frame(100))
        guard case .event(let event, _, _, _) = output.journal[2], case .theme(quiet) = event.kind else { Issue.record("no theme"); return }
        let commands = output.synth.filter { $0.frame == Frame(100) }.map(\.command)
        #expect(commands.contains { if case .ceiling(Decibels(-20)) = $0 { true } else { false } })
        #expect(commands.contains { if case .toneFade(.milliseconds(30)) = $0 { true } else { false } })
        let octave = TonePartials([TonePartial(ratio: 2)])
        #expect(commands.contains { if case .tonePartials(octave) = $0 { true } else { false } })
        #expect(commands.contains { if case .pitch(Hertz(300), _) = $0 { true } else { false } })
        #expect(throws: Fault.self) { try conductor.handle(Event(client: .connection(1), .ceiling(Decibels(-10))), at: Due(Frame(150))) }
        _ = try handle(Event(client: .connection(1), .ceiling(Decibels(-40))), at: 160)
        // A louder one does not undo what somebody has asked for.
        _ = try handle(Event(client: .engine, .theme(.standard)), at: 200)
        guard case .event(let last, _, _, _)? = output.journal.last, case .theme(let theme) = last.kind else { Issue.record("none"); return }
        #expect(theme.ceiling == Decibels(-40) && conductor.theme.ceiling == Decibels(-1))
        _ = try handle(Event(client: .engine, .theme(quiet)), at: 210)
        _ = try handle(ended(), at: 300)
        conductor.end(.request, at: Frame(400))
        _ = conductor.placed(at: Frame(400))
        _ = try handle(began(), at: 500_000)
        let opening = output.synth.filter { $0.frame >= Frame(500_000) }.map(\.command)
        guard case .reset = opening.first else { Issue.record("the engine is not as new"); return }
        #expect(opening.contains { if case .tonePartials(octave) = $0 { true } else { false } }, "the reset has made it a sine")
        let headers = output.journal.compactMap { if case .header(let header) = $0 { header } else { nil } }
        #expect(headers.map(\.theme.name) == ["standard", "quiet"] && headers[1].theme.ceiling == Decibels(-40))
    }

    @Test mutating func `the house's volume is there from a session's first frame, and keeps no session from ending`() throws {
        #expect(try handle(Event(client: .engine, .volume(Decibels(-9), fade: Seconds(10))), at: 0) == nil, "it begins no session")
        #expect(try conductor.handle(began(), at: Due(Frame(1_000)), ticket: 3))
        let tickets = output.batches.map { _ in conductor.placed(at: Frame(1_000)).ticket }
        #expect(tickets == [nil, 3])
        #expect(output.journal[1] == .event(Event(client: .engine, .volume(Decibels(-9), fade: .zero)), at: Frame(0)))
        _ = try handle(ended(), at: 2_000)
        for second in 1...50 { _ = try handle(Event(client: .engine, .volume(Decibels(Double(-second)), fade: Seconds(1))), at: Int64(second) * 48_000) }
        #expect(conductor.run == nil, "45 s after the visitor's last sign")
    }

    @Test mutating func `whoever mutes the house and sets its volume keeps no session from ending`() throws {
        _ = try handle(began(), at: 100)
        _ = try handle(ended(), at: 200)
        for second: Int64 in 1...44 {
            let kind = second % 2 == 0 ? EventKind.mute(true) : .volume(Decibels(Double(-second)), fade: Seconds(0.2))
            _ = try handle(Event(client: .connection(7), kind), at: second * 48_000)
        }
        #expect(conductor.visit != nil)
        conductor.advance(to: Frame(200 + 45 * 48_000 + 7))
        #expect(conductor.visit == nil, "45 s after the finger was lifted")
    }

    @Test mutating func `a volume that somebody sets is journaled with who did it`() throws {
        _ = try handle(began(), at: 1_000)
        let turned = Event(client: .connection(7), .volume(Decibels(-12), fade: Seconds(0.2)))
        #expect(try handle(turned, at: 2_000) == Frame(1_000))
        #expect(output.journal.last == .event(turned, at: Frame(1_000)) && conductor.volume == Decibels(-12))
    }

    @Test mutating func `a session that begins muted and turned down is muted first, with the engine's reset`() throws {
        _ = try handle(Event(client: .connection(1), .mute(true)), at: 0)
        _ = try handle(Event(client: .engine, .volume(Decibels(-9), fade: .zero)), at: 0)
        #expect(try conductor.handle(began(), at: Due(Frame(1_000))))
        let first = try #require(output.batches.first).commands
        #expect(first.contains { if case .reset = $0 { true } else { false } } && first.contains { if case .mute(true) = $0 { true } else { false } })
    }

    @Test mutating func `mute and ceiling outlast the session, and those to come begin with them`() throws {
        #expect(try handle(Event(client: .connection(1), .mute(true)), at: 0) == nil, "it begins no session")
        #expect(try handle(Event(client: .connection(1), .ceiling(Decibels(-30))), at: 0) == nil)
        #expect(conductor.isMuted && conductor.ceiling == Decibels(-30))
        #expect(try conductor.handle(began(), at: Due(Frame(1_000)), ticket: 3))
        let tickets = output.batches.map { _ in conductor.placed(at: Frame(1_000)).ticket }
        #expect(tickets == [nil, 3])
        guard case .header(let header) = output.journal[0] else { Issue.record("no header"); return }
        #expect(header.theme.ceiling == Decibels(-30))
        #expect(output.journal[1...] == [.event(Event(client: .engine, .mute(true)), at: .zero), .event(began(), at: .zero)])
        guard case .reset(Decibels(-30)) = output.synth[0].command else { Issue.record("\(output.synth[0])"); return }
        let isMuted = output.synth.contains { if case .mute(true) = $0.command { true } else { false } }
        #expect(isMuted)
        // In a session they are events like any other.
        #expect(try handle(Event(client: .connection(1), .mute(false)), at: 2_000) == Frame(1_000))
        #expect(!conductor.isMuted)
    }

    /// The render thread may come between two events: what is muted must be so in the first.
    @Test func `where a session begins with an arrival, it is muted before`() throws {
        var conductor = Conductor(ColorScroller.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: output.ports, seed: { 7 },
                                  clock: { clock }, utcOffset: { _ in 3600 })
        #expect(try !conductor.handle(Event(client: .connection(1), .mute(true)), at: Due(.zero)))
        #expect(try conductor.handle(began(), at: Due(Frame(1_000))))
        guard case .reset = output.batches[0].commands.first, case .mute(true) = output.batches[0].commands.last else {
            Issue.record("\(output.batches[0])")
            return
        }
        for _ in output.batches { _ = conductor.placed(at: Frame(1_000)) }
        let names = output.journal.compactMap { if case .event(let event, _, _, _) = $0 { event.kind.name } else { nil } }
        #expect(names == ["output.mute", "arrival", "touch"])
        // And the hour is told as it is without it.
        let told = output.told.map { "\($0)" }
        let other = RecordedOutput()
        var plain = Conductor(ColorScroller.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: other.ports, seed: { 7 },
                              clock: { clock }, utcOffset: { _ in 3600 })
        #expect(try plain.handle(began(), at: Due(Frame(1_000))))
        #expect(told == other.told.map { "\($0)" })
    }

    @Test mutating func `nobody raises the ceiling above the theme's`() throws {
        let fault = #expect(throws: Fault.self) { try conductor.handle(Event(client: .connection(1), .ceiling(Decibels(-0.5))), at: Due(.zero)) }
        #expect(fault?.field == "level" && fault?.expected == "at most -1 dBFS, the ceiling of settings, theme and preset" && fault?.found == "-0.5")
        #expect(conductor.ceiling == Decibels(-1))
    }

    @Test mutating func `a session is started once, and ended when it is asked for`() throws {
        #expect(try handle(Event(client: .connection(1), .start), at: 100) == Frame(0))
        #expect(throws: Fault.self) { try conductor.handle(Event(client: .connection(2), .start), at: Due(Frame(200))) }
        #expect(try handle(Event(client: .connection(2), .mark("a remark")), at: 300) == Frame(200))
        conductor.end(.request, at: Frame(1_000), ticket: 9)
        #expect(conductor.run == nil)
        #expect(conductor.placed(at: Frame(1_000)).ticket == 9)
        #expect(output.journal.suffix(2) == [.event(Event(client: .engine, .stop), at: Frame(900)), .end(.request, at: Frame(1_380))])
        #expect(try handle(Event(client: .connection(2), .mark("nobody is there")), at: 3_000) == nil)
    }

    @Test mutating func `letting go of nothing begins no session`() throws {
        for kind in [EventKind.touch(Touch(.ended)), .touch(Touch(.moved)), .stop, .left, .tone(ToneRequest(on: false))] {
            #expect(try handle(Event(client: .connection(1), kind), at: 10) == nil)
        }
        #expect(output.batches.isEmpty && conductor.run == nil)
    }

    @Test mutating func `a session ends 45 s after its last event, softly`() throws {
        _ = try handle(began(), at: 100)
        _ = try handle(ended(), at: 200)
        conductor.advance(to: Frame(200 + 45 * 48_000 - 1))
        #expect(conductor.visit != nil)
        conductor.advance(to: Frame(200 + 45 * 48_000 + 7))
        #expect(conductor.run == nil)
        _ = conductor.placed(at: Frame(200 + 45 * 48_000 + 9))
        // What still rings is let down, and that is in the journal too.
        #expect(output.journal.suffix(2) == [.event(Event(client: .engine, .stop), at: Frame(109 + 45 * 48_000), due: Frame(107 + 45 * 48_000)),
                                              .end(.idle, at: Frame(109 + 45 * 48_000 + 480))])
        guard case .stop? = output.synth.last?.command else { Issue.record("no stop"); return }
    }

    @Test mutating func `a session does not end while something is held`() throws {
        _ = try handle(began(), at: 0)
        conductor.advance(to: Frame(3_600 * 48_000))
        #expect(conductor.visit != nil)
    }

    @Test mutating func `each visitor has a session and a seed of his own`() throws {
        _ = try handle(Event(client: .connection(1), .swipe(Swipe())), at: 0)
        // An event after the idle time ends the old session first.
        _ = try conductor.handle(Event(client: .connection(1), .swipe(Swipe())), at: Due(Frame(100 * 48_000)))
        #expect(conductor.visits == 2)
        _ = conductor.placed(at: Frame(100 * 48_000))
        _ = conductor.placed(at: Frame(100 * 48_000 + 576))
        let seeds = output.journal.compactMap { if case .header(let header) = $0 { header.seed } else { nil } }
        #expect(seeds == [41, 42])
        #expect(output.journal[3] == .end(.idle, at: Frame(100 * 48_000 + 480)))
        // The new one begins when the old one has faded out, 10 ms, and left the limiter, 1 ms: a reset would cut it off.
        #expect(output.batches.map(\.gap) == [.zero, .zero, FrameCount(576)])
    }

    @Test mutating func `an event stamped before the last one is due with it`() throws {
        _ = try handle(began(), at: 1_000)
        #expect(try handle(ended(), at: 900) == Frame(0))
        #expect(output.gates.map(\.0) == [1_000, 1_000])
    }

    @Test mutating func `a refused event leaves no trace`() throws {
        let gong = Event(client: .connection(1), .chime(name: "gong"))
        let first = #expect(throws: Fault.self) { try conductor.handle(gong, at: Due(Frame(0))) }
        #expect(first?.field == "name")
        #expect(output.batches.isEmpty && conductor.run == nil && conductor.visits == 0)
        _ = try handle(began(), at: 10)
        let before = output.batches.count
        #expect(throws: Fault.self) { try conductor.handle(gong, at: Due(Frame(20))) }
        #expect(output.batches.count == before)
    }

    @Test mutating func `a client that leaves with a finger down is let go, one without goes unnoticed`() throws {
        _ = try handle(began(1), at: 0)
        let before = output.batches.count
        #expect(try handle(Event(client: .connection(2), .left), at: 50) == nil)
        #expect(output.batches.count == before)
        #expect(try handle(Event(client: .connection(1), .left), at: 60) == Frame(60))
        #expect(output.gates.last?.1 == false)
        #expect(output.journal.last == .event(Event(client: .connection(1), .left), at: Frame(60)))
    }

    @Test mutating func `ending a session journals the stop that is heard, and leaves it time to fade`() throws {
        _ = try handle(began(), at: 500)
        conductor.end(.shutdown, at: Frame(1_500))
        _ = conductor.placed(at: Frame(1_500))
        #expect(output.journal.suffix(2) == [.event(Event(client: .engine, .stop), at: Frame(1_000)),
                                              .end(.shutdown, at: Frame(1_480))])
        guard case .stop? = output.synth.last?.command else { Issue.record("no stop"); return }
        let count = output.batches.count
        conductor.end(.shutdown, at: Frame(9_999))
        #expect(output.batches.count == count)
    }

    @Test mutating func `whoever does nothing is told before the visit ends, and one touch has them stay`() throws {
        _ = try handle(began(), at: 0)
        _ = try handle(ended(), at: 0)
        let notice = { (output: RecordedOutput) in
            output.told.compactMap { ($0.body as? SessionAnnouncement)?.phase }.filter { $0 != .began }
        }
        // The idle time is 45 s, and it is told 10 s before.
        conductor.advance(to: Frame(35 * 48_000 - 1))
        #expect(notice(output) == [])
        conductor.advance(to: Frame(35 * 48_000 + 4_800))
        conductor.advance(to: Frame(36 * 48_000))
        #expect(notice(output) == [.leaving(endsIn: Seconds(9.9))], "once")
        _ = try handle(began(), at: 37 * 48_000)
        conductor.advance(to: Frame(80 * 48_000))
        #expect(notice(output) == [.leaving(endsIn: Seconds(9.9)), .stayed], "a finger is held")
        _ = try handle(ended(), at: 90 * 48_000)
        conductor.advance(to: Frame(125 * 48_000))
        conductor.advance(to: Frame(135 * 48_000))
        #expect(notice(output) == [.leaving(endsIn: Seconds(9.9)), .stayed, .leaving(endsIn: Seconds(10)), .ended])
    }

    @Test mutating func `a session of ColorScroller begins with an arrival, and is told of`() throws {
        conductor = colorScroller()
        _ = try conductor.handle(began(), at: Due(Frame(1_000)), ticket: 5)
        #expect(conductor.placed(at: Frame(1_000)).ticket == nil, "the arrival's")
        #expect(conductor.placed(at: Frame(1_000)) == Conductor.Placement(ticket: 5, position: .zero, lateness: .zero))
        #expect(output.journal[1...] == [
            .event(Event(client: .engine, .arrival(Arrival(CivilTime(instant: 1_767_225_600, utcOffset: 3600)))), at: .zero), .event(began(), at: .zero),
        ])
        #expect(output.told.map(\.topic) == ["session", "leaderboard", "counters"])
    }

    @Test mutating func `the next visitor finds the last one's score on the board, and what was tuned as it was left`() throws {
        conductor = colorScroller()
        let change = KnobChange("chance-early", .number(0.5))
        #expect(try handle(Event(client: .connection(1), .knob(change)), at: 0) == nil, "nobody is there to hear it")
        #expect(conductor.knobs.values == ["chance-early": .number(0.5)])
        for n in 1...3 {
            _ = try conductor.handle(Event(client: .connection(1), .swipe(Swipe())), at: Due(Frame(Int64(n) * 48_000)))
        }
        for _ in 0..<4 { _ = conductor.placed(at: Frame(48_000)) }
        guard case .header(let header) = output.journal[0] else { Issue.record("no header"); return }
        #expect(header.experience == "colorscroller" && header.knobs == conductor.knobs)
        conductor.end(.idle, at: Frame(480_000))
        let ended = try #require(output.told.last?.body as? SessionAnnouncement)
        let record = try #require(ended.record?.body as? SessionRecord)
        #expect(ended.phase == .ended && record.blocksViewed == 3 && record.totalSwipes == 3)
        let board = try #require(conductor.current.piece as? ColorScroller).leaderboard(at: .zero)
        #expect(board.rows.filter(\.isVisitor).map(\.score) == [3])
    }

    @Test mutating func `a knob turned during a session stays as it is for the next, and the journal knows`() throws {
        conductor = colorScroller()
        _ = try conductor.handle(began(), at: Due(.zero))
        _ = try conductor.handle(Event(client: .connection(1), .knob(KnobChange("chance-early", .number(1)))), at: Due(.zero))
        for _ in 0..<3 { _ = conductor.placed(at: .zero) }
        conductor.end(.idle, at: Frame(480_000))
        _ = conductor.placed(at: Frame(480_000))
        let next = try #require(conductor.current.piece as? ColorScroller)
        #expect(next.cards(10..<13).allSatisfy { $0.rarity == .common })
        _ = try conductor.handle(began(), at: Due(Frame(960_000)))
        for _ in 0..<2 { _ = conductor.placed(at: Frame(960_000)) }
        guard case .header(let header)? = output.journal.last(where: { if case .header = $0 { true } else { false } }) else {
            Issue.record("no header")
            return
        }
        let again = ColorScroller(Opening(theme: header.theme, seed: header.seed, rate: header.sampleRate, knobs: header.knobs))
        #expect(again.cards(0..<13) == (conductor.current.piece as? ColorScroller)?.cards(0..<13))
    }

    @Test mutating func `the next session's feed can be looked at before it begins`() throws {
        conductor = colorScroller()
        let before = try #require(conductor.current.piece as? ColorScroller).cards(0..<13)
        #expect(before.count == 13)
        _ = try handle(began(), at: 0)
        #expect(try #require(conductor.current.piece as? ColorScroller).cards(0..<13) == before)
    }

    @Test mutating func `a knob is refused where there is none`() {
        let event = Event(client: .connection(1), .knob(KnobChange("force-unlock-all", .flag(true))))
        #expect(throws: Fault.self) { try conductor.handle(event, at: Due(.zero)) }
    }

    private func colorScroller() -> Conductor {
        var seeds: UInt64 = 40
        return Conductor(ColorScroller.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: output.ports, seed: {
            seeds += 1
            return seeds
        }, clock: { clock }, utcOffset: { _ in 3600 })
    }
}
