import Testing

@testable import Synth

@Suite struct MonitorTests {
    private static let millisecond: Int64 = 1_000_000

    @Test func `silence is counted from the last sound on`() {
        var monitor = Monitor(at: 0)
        for turn in 1...10 as ClosedRange<Int64> { monitor.hear(0.00009, at: turn * 200 * Self.millisecond) }
        #expect(monitor.silence(at: 2_100 * Self.millisecond) == 2_100 * Self.millisecond)
        monitor.hear(0.25, at: 2_200 * Self.millisecond)
        #expect(monitor.peak == 0.25)
        monitor.hear(0, at: 2_400 * Self.millisecond)
        #expect(monitor.peak == 0)
        #expect(monitor.silence(at: 2_500 * Self.millisecond) == 300 * Self.millisecond)
    }

    @Test func `what was not heard of was not silent for all that is known`() {
        var monitor = Monitor(at: 0)
        monitor.hear(0, at: 200 * Self.millisecond)
        #expect(monitor.silence(at: 1_200 * Self.millisecond) == 1_200 * Self.millisecond)
        #expect(monitor.silence(at: 1_201 * Self.millisecond) == nil)
        // A server that stood still sends what it had before.
        monitor.hear(0, at: 9_000 * Self.millisecond)
        #expect(monitor.silence(at: 9_100 * Self.millisecond) == 100 * Self.millisecond)
        // A piece is missing.
        monitor.hear(nil, at: 9_200 * Self.millisecond)
        #expect(monitor.silence(at: 9_300 * Self.millisecond) == 100 * Self.millisecond)
    }
}
