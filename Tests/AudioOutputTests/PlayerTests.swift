import Signals
import Synth
import TestSupport
import Testing
import Units

@testable import AudioOutput

@Suite struct PlayerTests {
    /// A sine of 240 Hz at half of full scale, and fades of 5 ms, change by no more than this from sample to sample.
    private static let smooth: Float = 0.03

    private func largestStep(_ samples: [Float]) -> Float { zip(samples.dropFirst(), samples).map { abs($0 - $1) }.max() ?? 0 }

    @Test func `an event is heard a few milliseconds after it happened, though 200 ms are queued`() {
        var server = Server()
        server.player.openStream()
        server.advance(milliseconds: 1_000)
        #expect(server.player.mode == .live)
        let silentFrames = server.played.count
        server.act(on)
        server.advance(milliseconds: 100)
        let first = server.played.firstIndex { $0 != 0 } ?? 0
        #expect(first >= silentFrames && first < silentFrames + 240)
        #expect(largestStep(server.played) < Self.smooth)
        #expect(server.heard() == ["silent", "heard", "placed"])
        #expect(server.player.report.counters.lateRewrites == 0 && server.player.report.counters.rewrites == 1)
    }

    /// A change that came in time leaves what was played as it was.
    @Test(arguments: [(128, 0, true, false), (1_024, 0, true, false), (128, 0, true, true), (1_024, 0, true, true),
                      (96, 0, false, false), (480, 240, false, false)])
    func `no sink has taken frames before they change unnoticed`(block: Int64, reserve: Int64, isStepwise: Bool, isHeldUp: Bool) {
        var server = Server(block: block, reserve: reserve, isStepwise: isStepwise, isHeldUp: isHeldUp)
        server.player.openStream(step: isStepwise ? FrameCount(128) : nil)
        server.advance(milliseconds: 3_000)
        #expect(server.player.mode == .live)
        var generator = SplitMix64(seed: 9)
        var lates = 0
        var wrong = 0
        for number in 0..<150 {
            // Now and then one takes ten times as long.
            let isSlow = number % 25 == 24
            let due = server.due
            let ticks = Int.random(in: 2...5, using: &generator) * (isSlow ? 10 : 1)
            let start = server.act(number % 2 == 0 ? on : [.gate(open: false)], ticks: ticks)
            server.advance(ticks: .random(in: 20...1_000, using: &generator))
            guard let start else { Issue.record("nothing is revised"); return }
            #expect(isSlow || number < 20 || start - Int(due) <= 2 * Int(block) + Int(reserve) + 400, "it is quick, too")
            lates += server.heard().contains("late") ? 1 : 0
            let changed = server.played.indices.suffix(20_000).filter { server.played[$0] != server.stream[$0] }
            #expect(changed.allSatisfy { (start..<(start + server.late)).contains($0) }, "but for what is told as late")
            wrong += changed.count
            server.stream.replaceSubrange(..<server.played.count, with: server.played)
        }
        #expect(lates <= 12, "the six slow ones, and as many for caution")
        #expect(wrong > 0 || block == 1_024, "the slow ones were late indeed")
        #expect(server.player.report.counters.rewrites == 150)
    }

    /// Of a change that is written in parts, each may come too late.
    @Test(arguments: [(24, true), (96, false), (480, false)])
    func `no sink has played frames before they change unnoticed`(_ block: Int64, isCard: Bool) {
        var sink = Server(block: block, isCard: isCard)
        sink.player.openStream()
        sink.advance(milliseconds: 3_000)
        #expect(sink.player.mode == .live)
        var generator = SplitMix64(seed: 9)
        var (lates, wrong) = (0, 0)
        for number in 0..<120 {
            let isSlow = number % 25 == 24
            let areOthersSlow = number % 30 == 29
            let ticks = Int.random(in: 2...5, using: &generator) * (isSlow ? 10 : 1)
            let due = Int(sink.due)
            guard let change = sink.change(number % 2 == 0 ? on : [.gate(open: false)], ticks: ticks, othersTicks: areOthersSlow ? 300 : 2)
            else { Issue.record("nothing is revised"); return }
            sink.advance(ticks: .random(in: 20...1_000, using: &generator))
            #expect(isSlow || number < 20 || change.lowerBound - due <= 300 + 2 * Int(block), "it is quick, too")
            let notices = sink.heard()
            lates += notices.count { $0 == "late" }
            let changed = sink.played.indices.suffix(30_000).filter { sink.played[$0] != sink.stream[$0] }
            #expect(changed.allSatisfy { change.contains($0) } && changed.count <= sink.late, "but for what is told as late")
            wrong += changed.count
            sink.stream.replaceSubrange(..<sink.played.count, with: sink.played)
        }
        #expect(lates <= (isCard ? 16 : 25), "the eight slow ones, with a server's three later parts, and as many or a few for caution")
        #expect(wrong > 0, "the slow ones were late indeed")
    }

    @Test func `events go on while there is no server, and the tone is there when it is`() {
        var server = Server()
        server.advance(milliseconds: 100)
        server.act(on)
        #expect(server.heard() == ["silent", "placed"])
        server.player.openStream()
        server.advance(milliseconds: 500)
        #expect(server.played.suffix(4_800).contains { $0.magnitude > 0.4 })
        #expect(largestStep(server.played) < Self.smooth, "it comes in softly")
    }

    @Test(arguments: [false, true])
    func `a sink that stands still is told, and goes on softly at the right place`(isStepwise: Bool) {
        var server = Server(isStepwise: isStepwise)
        server.player.openStream(step: isStepwise ? FrameCount(128) : nil)
        server.advance(milliseconds: 500)
        server.act(on)
        server.advance(milliseconds: 500)
        server.isStuck = true
        // What happens before it is noticed counts too, though it is to be rendered again from further back.
        server.advance(milliseconds: 50)
        server.act([.gate(open: false)])
        server.advance(milliseconds: 70)
        server.act([.note(NoteCommand(ChimeNote(start: .zero, frequency: Hertz(900), level: Decibels(-40),
                                                attack: .milliseconds(3), decay: Seconds(0.01),
                                                partials: [Partial(ratio: 1, level: Decibels(0))])))])
        server.advance(milliseconds: 280)
        #expect(server.player.mode == .filling && server.player.report.state == .waiting)
        server.advance(milliseconds: 600)
        let before = server.played.count
        server.isStuck = false
        server.advance(milliseconds: 500)
        #expect(server.player.mode == .live && server.player.report.state == .connected)
        #expect(largestStep(server.played) < Self.smooth)
        let isSilent = server.played[(before + 1_200)...].allSatisfy { $0 == 0 }
        #expect(isSilent, "the finger had left")
        #expect(server.player.written - server.read <= 13_000, "nothing is put further ahead than the queue is long")
    }

    @Test func `a queue that runs dry is counted and journaled, and the tone comes back softly`() {
        var server = Server()
        server.player.openStream()
        server.advance(milliseconds: 500)
        server.act(on)
        server.advance(milliseconds: 300)
        #expect(server.heard() == ["silent", "heard", "placed"])
        // Half a second in which nobody writes.
        server.now += 500_000_000
        server.advance(milliseconds: 300)
        #expect(server.heard() == ["silent", "heard"])
        #expect(server.player.report.counters.underruns == 1 && server.player.mode == .live)
        #expect(server.played.suffix(4_800).contains { $0.magnitude > 0.4 })
    }

    @Test func `a change that came too late widens the margin and is told`() {
        var server = Server()
        server.player.openStream()
        server.advance(milliseconds: 500)
        let delays = server.player.delays.heardToChangeable
        _ = server.player.landed(from: server.read - 480, at: server.now, server.timing, now: server.now)
        #expect(server.player.delays.heardToChangeable >= delays + 9_000_000)
        #expect(server.heard() == ["silent", "heard", "late"])
    }

    @Test func `a server that puts writes elsewhere is found out`() {
        var server = Server()
        server.player.openStream()
        server.advance(milliseconds: 500)
        var answers: [Bool] = []
        for _ in 0..<3 {
            // It appended what was to be overwritten.
            var timing = server.timing
            timing.written += 9_000
            answers.append(server.player.landed(from: server.read + 480, at: server.now, timing, now: server.now))
        }
        #expect(answers == [true, true, false])
    }

    @Test func `where nothing can be overwritten, an event follows what is queued`() {
        var server = Server()
        server.player.report.revises = false
        server.player.openStream()
        server.advance(milliseconds: 500)
        let queued = server.player.written
        server.act(on)
        server.advance(milliseconds: 400)
        let first = server.played.firstIndex { $0 != 0 } ?? 0
        // But for the limiter's look-ahead, which is given back.
        #expect((queued...(queued + 100)).contains(Int64(first)))
    }

    @Test func `a change is written in parts, each four times as long as the one before`() {
        #expect(Array(ChangeParts(of: 9_600, first: 300)) == [300, 1_200, 4_800, 3_300])
        #expect(Array(ChangeParts(of: 300, first: 300)) == [300])
        #expect(Array(ChangeParts(of: 0, first: 300)) == [])
        var server = Server(block: 96)
        server.player.openStream()
        server.advance(milliseconds: 1_000)
        let first = server.player.parts(of: Stretch(offset: -9_600, count: 9_600)).first { _ in true }
        #expect(first.map { (240...240 + 96).contains($0) } == true, "5 ms, and what the sink takes at a time, 2 ms at most")
    }

    @Test func `a flood is let through in steps`() {
        var rewriteLimit = RewriteLimit()
        var passed = 0
        for moment in stride(from: Int64(0), to: 1_000_000_000, by: 100_000) where rewriteLimit.allows(moment) {
            rewriteLimit.count(moment)
            passed += 1
        }
        #expect(passed == 16 * 20)
        #expect(rewriteLimit.isHolding)
    }

    @Test func `a doorbell rings once however often it is rung`() {
        let bell = Doorbell()
        #expect(!bell.hasRung(within: 0))
        bell.ring()
        bell.ring()
        #expect(bell.hasRung(within: 0))
        #expect(!bell.hasRung(within: 0))
    }
}
