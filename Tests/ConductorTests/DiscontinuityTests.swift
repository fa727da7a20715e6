import Conductor
import Direct
import Journal
import Signals
import Testing
import Units

/// What the journal has of what was not heard.
@Suite struct DiscontinuityTests {
    private let output = RecordedOutput()
    private var conductor: Conductor

    init() { conductor = Conductor(directlyInto: output) }

    private mutating func handle(_ event: Event, at frame: Int64, placed: Int64? = nil) throws -> Frame? {
        try conductor.handle(event, at: frame, placed: placed, in: output)
    }

    @Test mutating func `what was heard amiss is told in the journal`() throws {
        conductor.late(FrameCount(3), at: Frame(5))
        _ = try handle(began(), at: 1_000)
        _ = try handle(ended(), at: 2_000)
        conductor.late(FrameCount(12), at: Frame(1_995))
        conductor.fellSilent(at: Frame(3_000))
        conductor.cameBack(at: Frame(3_500))
        #expect(output.journal[3...] == [
            .discontinuity(.late(FrameCount(12)), at: Frame(995)), .discontinuity(.gap(nil), at: Frame(2_000)), .discontinuity(.gap(FrameCount(500)), at: Frame(2_000)),
        ])
    }

    /// The discontinuities and ends in the journal.
    private var outcome: [JournalEntry] {
        output.journal.filter { entry in
            switch entry {
            case .discontinuity, .end: true
            case .header, .event, .checkpoint: false
            }
        }
    }

    @Test mutating func `a session that begins while nothing is heard has a gap from its first frame on`() throws {
        conductor.fellSilent(at: Frame(-48))
        _ = try handle(began(), at: 1_000)
        guard case .header = output.journal[0], case .discontinuity(.gap(nil), Frame.zero) = output.journal[1] else {
            Issue.record("\(output.journal)")
            return
        }
        conductor.cameBack(at: Frame(4_000))
        #expect(outcome == [.discontinuity(.gap(nil), at: .zero), .discontinuity(.gap(FrameCount(3_000)), at: .zero)])
    }

    @Test mutating func `one that begins when it is known up to where nothing is heard has the rest of the gap`() throws {
        conductor.fellSilent(at: Frame(500))
        conductor.cameBack(at: Frame(1_200))
        _ = try handle(began(), at: 1_000)
        #expect(outcome == [.discontinuity(.gap(nil), at: .zero), .discontinuity(.gap(FrameCount(200)), at: .zero)])
    }

    @Test mutating func `a session that ends while nothing is heard has the gap before its end, and so has the next`() throws {
        conductor.settled(until: .zero)
        _ = try handle(began(), at: 1_000)
        conductor.fellSilent(at: Frame(5_000))
        conductor.end(.request, at: Frame(9_000))
        _ = conductor.placed(at: Frame(9_000))
        #expect(outcome == [.discontinuity(.gap(nil), at: Frame(4_000))])
        conductor.settled(until: Frame(9_480))
        #expect(outcome[1...] == [.discontinuity(.gap(FrameCount(4_480)), at: Frame(4_000)), .end(.request, at: Frame(8_480))])
        _ = try handle(began(), at: 20_000)
        conductor.cameBack(at: Frame(20_700))
        #expect(outcome[3...] == [.discontinuity(.gap(nil), at: .zero), .discontinuity(.gap(FrameCount(700)), at: .zero)])
    }

    @Test mutating func `a gap that is found out after a session has ended still comes before its end, and the next session waits for it`() throws {
        conductor.settled(until: .zero)
        _ = try handle(began(), at: 1_000)
        conductor.end(.request, at: Frame(9_000))
        _ = conductor.placed(at: Frame(9_000))
        _ = try conductor.handle(began(), at: Due(Frame(9_600)))
        _ = conductor.placed(at: Frame(9_600))
        conductor.late(FrameCount(5), at: Frame(8_990))
        #expect(conductor.isSettling && output.journal.count { if case .header = $0 { true } else { false } } == 1)
        conductor.fellSilent(at: Frame(9_400))
        conductor.settled(until: Frame(9_900))
        #expect(outcome == [
            .discontinuity(.late(FrameCount(5)), at: Frame(7_990)), .discontinuity(.gap(nil), at: Frame(8_400)), .discontinuity(.gap(FrameCount(80)), at: Frame(8_400)),
            .end(.request, at: Frame(8_480)), .discontinuity(.gap(nil), at: .zero),
        ])
        #expect(!conductor.isSettling && output.journal.count { if case .header = $0 { true } else { false } } == 2)
    }

    @Test mutating func `what others mute is a gap until they let it be heard, and one with what the output does not play meanwhile`() throws {
        _ = try handle(began(), at: 1_000)
        conductor.fellSilent(because: .others, at: Frame(3_000))
        conductor.fellSilent(at: Frame(3_500))
        conductor.cameBack(because: .others, at: Frame(4_000))
        #expect(outcome == [.discontinuity(.gap(nil), at: Frame(2_000))])
        conductor.cameBack(at: Frame(3_900))
        #expect(outcome[1...] == [.discontinuity(.gap(FrameCount(1_000)), at: Frame(2_000))], "until both are over")
    }

    @Test mutating func `silence that is found out to have begun before a gap is a gap up to that, and no frame lies in two`() throws {
        _ = try handle(began(), at: 1_000)
        conductor.fellSilent(because: .others, at: Frame(3_000))
        conductor.fellSilent(at: Frame(2_600))
        conductor.cameBack(because: .others, at: Frame(3_200))
        conductor.cameBack(at: Frame(3_400))
        conductor.fellSilent(because: .others, at: Frame(3_300))
        conductor.cameBack(because: .others, at: Frame(3_700))
        #expect(outcome == [
            .discontinuity(.gap(nil), at: Frame(2_000)), .discontinuity(.gap(nil), at: Frame(1_600)),
            .discontinuity(.gap(FrameCount(400)), at: Frame(1_600)), .discontinuity(.gap(FrameCount(400)), at: Frame(2_000)),
            .discontinuity(.gap(nil), at: Frame(2_400)), .discontinuity(.gap(FrameCount(300)), at: Frame(2_400)),
        ])
    }

    @Test mutating func `silence that is found out late lies in no gap before, and is told once`() throws {
        _ = try handle(began(), at: 1_000)
        conductor.fellSilent(at: Frame(2_000))
        conductor.cameBack(at: Frame(2_500))
        conductor.fellSilent(because: .others, at: Frame(3_000))
        conductor.fellSilent(at: Frame(2_200))
        conductor.cameBack(at: Frame(3_100))
        conductor.fellSilent(at: Frame(2_900))
        conductor.cameBack(because: .others, at: Frame(3_200))
        conductor.cameBack(at: Frame(3_300))
        #expect(outcome[2...] == [
            .discontinuity(.gap(nil), at: Frame(2_000)), .discontinuity(.gap(nil), at: Frame(1_500)),
            .discontinuity(.gap(FrameCount(500)), at: Frame(1_500)), .discontinuity(.gap(FrameCount(300)), at: Frame(2_000)),
        ])
    }

    @Test mutating func `who lets be heard what was not muted changes nothing`() throws {
        _ = try handle(began(), at: 1_000)
        conductor.cameBack(because: .others, at: Frame(3_000))
        conductor.fellSilent(at: Frame(4_000))
        conductor.cameBack(because: .others, at: Frame(4_500))
        #expect(outcome == [.discontinuity(.gap(nil), at: Frame(3_000))])
    }

    @Test mutating func `a gap between two sessions is nobody's`() throws {
        _ = try handle(began(), at: 1_000)
        conductor.end(.request, at: Frame(9_000))
        _ = conductor.placed(at: Frame(9_000))
        conductor.fellSilent(at: Frame(10_000))
        conductor.cameBack(at: Frame(12_000))
        _ = try handle(began(), at: 20_000)
        #expect(outcome == [.end(.request, at: Frame(8_480))])
    }
}
