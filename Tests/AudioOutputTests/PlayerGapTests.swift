import Signals
import Synth
import Testing
import Units

@testable import AudioOutput

/// What a player tells of what was not heard.
@Suite struct PlayerGapTests {
    /// In frames of commands: 48 later they are heard.
    private func gap(_ server: inout Server) throws -> (start: Int64, end: Int64?) {
        _ = server.heard()
        let gap = try #require(server.gaps.last)
        return (gap.start + 48, gap.end.map { $0 + 48 })
    }

    @Test func `before the first sound nothing was heard, and that is over when it has been written in time, and faded in`() throws {
        var server = Server()
        server.advance(milliseconds: 300)
        server.act(on)
        server.advance(milliseconds: 100)
        server.player.openStream()
        server.advance(milliseconds: 500)
        let first = try #require(server.played.firstIndex { $0 != 0 })
        let gap = try gap(&server)
        #expect(gap.start == 0)
        // The very first sample of the fade is 0.
        #expect(gap.end == server.player.origin + Int64(first) - 1 + 240)
    }

    @Test func `a server that is lost: what it said last is when the gap begins, and not when that is noticed`() throws {
        var server = Server()
        server.player.openStream()
        server.advance(milliseconds: 1_000)
        server.act(on)
        server.advance(milliseconds: 513)
        let heard = server.player.origin + server.due
        // It stands still for 280 ms, and is gone.
        server.isStuck = true
        server.advance(milliseconds: 280)
        server.player.closeStream(fault: 0, now: server.now)
        let gap = try gap(&server)
        #expect(gap.end == nil && (heard - 960 - 96...heard).contains(gap.start), "\(gap.start), heard \(heard)")
        #expect(server.player.report.settled.rawValue + 48 > heard, "and that what follows was not heard is settled")
    }

    @Test func `a server that stalls: from where it stood on nothing was heard`() throws {
        var server = Server()
        server.player.openStream()
        server.advance(milliseconds: 1_000)
        server.act(on)
        server.advance(milliseconds: 507)
        let heard = server.player.origin + server.due
        server.isStuck = true
        server.advance(milliseconds: 700)
        let gap = try gap(&server)
        #expect(gap.end == nil && (heard - 960 - 96...heard).contains(gap.start), "\(gap.start), heard \(heard)")
    }

    /// As when thrumd goes on after a stop: it is asked for more and writes it before it hears that the server has run dry.
    @Test func `a queue that ran dry long ago: the gap begins where it did, whatever has been written since`() throws {
        var server = Server()
        server.player.openStream()
        server.advance(milliseconds: 1_000)
        server.act(on)
        server.advance(milliseconds: 307)
        _ = server.heard()
        let end = server.player.written
        server.now += 900_000_000
        server.player.stoodStill(until: server.now)
        #expect(server.player.stall(after: 300_000_000, now: server.now) == nil, "it may not be the server that stood still")
        server.player.wasAsked(now: server.now)
        server.write(Stretch(offset: 0, count: 9_600))
        // What happens just then.
        server.stage([.gate(open: false)])
        let change = server.player.revise(now: server.now)
        #expect(change == nil)
        server.runDry(at: end)
        let gap = try gap(&server)
        // Less a block, and what may have been on its way.
        #expect((server.player.origin + end - 240...server.player.origin + end).contains(gap.start))
        server.advance(milliseconds: 300)
        let isSilent = server.played.dropFirst(Int(end) + 1).allSatisfy { $0 == 0 }
        #expect(isSilent && server.player.mode == .live)
    }

    @Test func `what is certain to have been heard goes on with the sink, and no further than what was written`() {
        var server = Server()
        server.player.openStream()
        for _ in 0..<100 {
            server.advance(milliseconds: 20)
            guard server.player.mode == .live else { continue }
            let heard = server.player.origin + server.due - 48
            #expect((heard - 960...heard).contains(server.player.report.settled.rawValue) || server.player.report.settled < .zero)
        }
    }
}
