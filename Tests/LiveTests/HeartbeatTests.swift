import Testing

@testable import Live

@Suite struct HeartbeatTests {
    private static let second: Int64 = 1_000_000_000

    @Test func `the journal is due for the disk every half second, also after a longer pause`() {
        var heartbeat = Heartbeat()
        let due = [10.0, 10.1, 10.4, 10.5, 10.9, 11.0, 13.9, 14.0, 14.4].filter {
            heartbeat.beat(at: Int64($0 * 1e9)).isToSync
        }
        #expect(due == [10.0, 10.5, 11.0, 13.9, 14.4])
    }

    @Test(arguments: [(0, 1_000), (999, 1_000), (1_000, 2_000), (1_001, 2_000), (7_250, 8_000)])
    func `timers with the same pause meet at whole pauses of the clock`(_ now: Int64, _ next: Int64) {
        #expect(Heartbeat.next(after: now, each: 1_000) == next)
    }

    @Test func `a beat that comes more than three seconds after the last says for how long the process stood still`() {
        var heartbeat = Heartbeat()
        let start = 1_000 * Self.second
        #expect(heartbeat.beat(at: start).stoodStill == nil, "the first has none before it")
        #expect(heartbeat.beat(at: start + 3 * Self.second).stoodStill == nil)
        #expect(heartbeat.beat(at: start + 6 * Self.second + 1).stoodStill == 3)
        #expect(heartbeat.beat(at: start + 66 * Self.second).stoodStill == 59)
        #expect(heartbeat.beat(at: start + 67 * Self.second).stoodStill == nil)
    }
}
