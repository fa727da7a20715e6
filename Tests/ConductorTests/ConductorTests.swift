import Conductor
import Experience
import Journal
import Signals
import Testing
import Units

/// Collects what the conductor sends out.
private final class Outlets {
    var journal: [JournalEntry] = []
    var synth: [StampedCommand] = []
    var haptics: [String] = []

    var ports: Conductor.Ports {
        Conductor.Ports(journal: { self.journal.append($0) }, synth: { self.synth.append($0) },
                        haptic: { name, _ in self.haptics.append(name) })
    }

    var gates: [(Int64, Bool)] {
        synth.compactMap { if case .gate(let open) = $0.command { ($0.frame.rawValue, open) } else { nil } }
    }
}

private func began(_ client: Int = 1) -> Event { Event(client: client, .touch(Touch(.began))) }
private func ended(_ client: Int = 1) -> Event { Event(client: client, .touch(Touch(.ended))) }

@Suite struct ConductorTests {
    private let outlets = Outlets()
    private var conductor: Conductor

    init() {
        var seeds: UInt64 = 40
        conductor = Conductor(theme: .standard, rate: .standard, idle: Seconds(45), ports: outlets.ports) {
            seeds += 1
            return (seeds, "2026-01-01T00:00:00Z")
        }
    }

    @Test mutating func `the first event begins a session at its own frame 0`() throws {
        #expect(try conductor.handle(began(), at: Frame(1_000_000)) == Frame(0))
        #expect(try conductor.handle(ended(), at: Frame(1_004_800)) == Frame(4_800))
        guard case .header(let header) = outlets.journal[0] else { Issue.record("no header"); return }
        #expect(header.seed == 41)
        #expect(header.theme == .standard)
        #expect(outlets.journal[1...] == [.event(began(), at: Frame(0)), .event(ended(), at: Frame(4_800))])
        guard case .reset = outlets.synth[0].command else { Issue.record("no reset"); return }
        #expect(outlets.synth[0].frame == Frame(1_000_000))
        #expect(outlets.gates.map(\.0) == [1_000_000, 1_004_800])
        #expect(outlets.haptics == ["touch-down", "touch-up"])
    }

    @Test mutating func `letting go of nothing begins no session`() throws {
        for happening in [Happening.touch(Touch(.ended)), .touch(Touch(.moved)), .stop, .left, .tone(ToneRequest(on: false))] {
            #expect(try conductor.handle(Event(client: 1, happening), at: Frame(10)) == nil)
        }
        #expect(outlets.journal.isEmpty && conductor.session == nil)
    }

    @Test mutating func `a session ends 45 s after its last event, softly`() throws {
        _ = try conductor.handle(began(), at: Frame(100))
        _ = try conductor.handle(ended(), at: Frame(200))
        conductor.advance(to: Frame(200 + 45 * 48_000 - 1))
        #expect(conductor.session != nil)
        conductor.advance(to: Frame(200 + 45 * 48_000 + 7))
        #expect(conductor.session == nil)
        // What still rings is let down, and that is in the journal too.
        #expect(outlets.journal.suffix(2) == [.event(Event(client: 0, .stop), at: Frame(107 + 45 * 48_000)),
                                              .end(.idle, at: Frame(107 + 45 * 48_000 + 480))])
        guard case .stop? = outlets.synth.last?.command else { Issue.record("no stop"); return }
    }

    @Test mutating func `a session does not end while something is held`() throws {
        _ = try conductor.handle(began(), at: Frame(0))
        conductor.advance(to: Frame(3_600 * 48_000))
        #expect(conductor.session != nil)
    }

    @Test mutating func `each visitor has a session and a seed of his own`() throws {
        _ = try conductor.handle(Event(client: 1, .feedSwipe(FeedSwipe())), at: Frame(0))
        // An event after the idle time ends the old session first.
        _ = try conductor.handle(Event(client: 1, .feedSwipe(FeedSwipe())), at: Frame(100 * 48_000))
        #expect(conductor.sessions == 2)
        let seeds = outlets.journal.compactMap { if case .header(let header) = $0 { header.seed } else { nil } }
        #expect(seeds == [41, 42])
        #expect(outlets.journal[3] == .end(.idle, at: Frame(100 * 48_000 + 480)))
        // The new one begins when the old one has faded out: a reset would cut it off.
        #expect(conductor.session?.start == Frame(100 * 48_000 + 480 + 48))
    }

    @Test mutating func `an event stamped before the last one is due with it`() throws {
        _ = try conductor.handle(began(), at: Frame(1_000))
        #expect(try conductor.handle(ended(), at: Frame(900)) == Frame(0))
        #expect(outlets.gates.map(\.0) == [1_000, 1_000])
    }

    @Test mutating func `a refused event leaves no trace`() throws {
        let gong = Event(client: 1, .chime(name: "gong"))
        let first = #expect(throws: Fault.self) { try conductor.handle(gong, at: Frame(0)) }
        #expect(first?.field == "name")
        #expect(outlets.journal.isEmpty && outlets.synth.isEmpty && conductor.session == nil)
        _ = try conductor.handle(began(), at: Frame(10))
        let before = outlets.journal.count
        #expect(throws: Fault.self) { try conductor.handle(gong, at: Frame(20)) }
        #expect(outlets.journal.count == before)
    }

    @Test mutating func `a client that leaves with a finger down is let go, one without goes unnoticed`() throws {
        _ = try conductor.handle(began(1), at: Frame(0))
        let before = outlets.journal.count
        #expect(try conductor.handle(Event(client: 2, .left), at: Frame(50)) == nil)
        #expect(outlets.journal.count == before)
        #expect(try conductor.handle(Event(client: 1, .left), at: Frame(60)) == Frame(60))
        #expect(outlets.gates.last?.1 == false)
        #expect(outlets.journal.last == .event(Event(client: 1, .left), at: Frame(60)))
    }

    @Test mutating func `ending a session journals the stop that is heard, and leaves it time to fade`() throws {
        _ = try conductor.handle(began(), at: Frame(500))
        #expect(conductor.end(.shutdown, at: Frame(1_500)) == Frame(1_500 + 480))
        #expect(outlets.journal.suffix(2) == [.event(Event(client: 0, .stop), at: Frame(1_000)),
                                              .end(.shutdown, at: Frame(1_480))])
        guard case .stop? = outlets.synth.last?.command else { Issue.record("no stop"); return }
        #expect(conductor.end(.shutdown, at: Frame(9_999)) == nil)
    }
}
