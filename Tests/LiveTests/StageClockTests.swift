import Calendar
import Synchronization
import Testing
import Unhooked

@testable import Live

private let day = 86_400.0

/// A house whose machine's clock jumps while it runs.
@Suite struct StageClockTests {
    /// Clocks that stand still until they are moved. `date -u -d @1782568800` is Sat Jun 27 14:00:00 UTC 2026.
    private final class Clocks: Sendable {
        private let reading = Mutex(SteadyClock.Reading(wall: 1_782_568_800, steady: 5_000))

        var now: SteadyClock.Reading { reading.withLock { $0 } }

        /// Time goes by, and the wall clock is moved by `jump` seconds besides.
        func pass(_ seconds: Double, jump: Double = 0) {
            reading.withLock { reading in
                reading.steady += seconds
                reading.wall += seconds + jump
            }
        }
    }

    private let clocks: Clocks
    private let rig: StageRig

    init() throws {
        let clocks = Clocks()
        self.clocks = clocks
        rig = try StageRig(Unhooked.self, clocks: { clocks.now })
    }

    /// Time is seen to have gone by.
    private func advance() async throws {
        _ = try await rig.stage.report(.mark("later"), at: nil, from: .connection(1), ticket: nil)
        await rig.stage.watchClock()
    }

    private func pet() async throws -> String? { try await rig.ask(1, "unhooked.state", "{}") }

    private func clockIssue() async -> String? { await rig.stage.status().issues.first { $0.contains("clock") } }

    @Test(arguments: [30 * day, -3 * day])
    func `a pet lives through no day of a clock that jumps for two seconds`(jump: Double) async throws {
        _ = try await rig.connect(1, as: .operator)
        try await advance()
        let before = try await pet()
        #expect(before?.contains(#""age":1"#) == true, "\(before ?? "nothing")")
        clocks.pass(1, jump: jump)
        try await advance()
        #expect(try await pet() == before)
        let issue = try #require(await clockIssue())
        #expect(issue.hasPrefix("the machine's clock has jumped \(jump > 0 ? "30 days ahead" : "3 days back") while thrumd ran"), "\(issue)")
        #expect(issue.contains("2026-06-27T14:00:01Z"))
        clocks.pass(2, jump: -jump)
        try await advance()
        #expect(try await pet() == before)
        #expect(await clockIssue() == nil)
        try await rig.stop()
    }

    @Test func `days that lie in between count when an operator accepts the clock, and once`() async throws {
        _ = try await rig.connect(1, as: .operator)
        try await advance()
        let before = try await pet()
        let refusal = try await rig.ask(1, "clock.accept", "{}")
        #expect(refusal?.contains("expected a jump of the machine's clock that is waiting to be accepted, found none") == true)
        clocks.pass(1, jump: 2 * day)
        try await advance()
        #expect(try await rig.ask(1, "clock.accept", "{}") == #"{"id":1,"jsonrpc":"2.0","result":{"jump":172800,"time":1782741601}}"#)
        try await advance()
        #expect(try await pet() != before)
        #expect(await clockIssue() == nil)
        #expect(try await rig.ask(1, "clock.accept", "{}")?.contains(#""error""#) == true)
        try await rig.stop()
    }

    @Test func `a machine that slept through a night has lived through it`() async throws {
        _ = try await rig.connect(1, as: .operator)
        try await advance()
        let before = try await pet()
        clocks.pass(day)
        try await advance()
        #expect(try await pet() != before)
        #expect(await clockIssue() == nil)
        try await rig.stop()
    }
}
