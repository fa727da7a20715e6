import AudioOutput
import Synth
import Testing

@testable import Live

@Suite struct OutputWatchTests {
    private static let second: Int64 = 1_000_000_000

    private func report(_ state: OutputState, fault: Int32 = 0, isRealtime: Bool = true) -> OutputReport {
        var report = OutputReport()
        report.state = state
        report.fault = fault
        report.isRealtime = isRealtime
        return report
    }

    @Test func `a change of state is told once`() {
        var watch = OutputWatch(started: 0)
        #expect(watch.change(report(.connected), at: 1) == .connected(lacksPriority: false))
        #expect(watch.change(report(.connected), at: 2) == nil)
        #expect(watch.change(report(.waiting, fault: 3), at: 3) == .waiting)
        #expect(watch.change(report(.waiting, fault: 3), at: 4) == nil)
        #expect(watch.change(report(.waiting, fault: 5), at: 5) == .waiting, "for another reason")
        #expect(watch.change(report(.connected, fault: 5), at: 6) == .connected(lacksPriority: false))
        #expect(watch.change(report(.connected, fault: 6), at: 7) == nil, "a fault is of interest while it waits")
        #expect(watch.change(report(.null), at: 8) == .null)
    }

    @Test func `what has just begun to look for a server is not said to wait for a second and a half`() {
        var watch = OutputWatch(started: 10 * Self.second)
        #expect(watch.change(report(.waiting), at: 10 * Self.second) == nil)
        #expect(watch.change(report(.waiting), at: 11 * Self.second + 499_999_999) == nil)
        #expect(watch.change(report(.waiting), at: 11 * Self.second + 500_000_000) == .waiting)
        var other = OutputWatch(started: 10 * Self.second)
        #expect(other.change(report(.waiting, fault: 6), at: 10 * Self.second) == .waiting, "it knows already why")
    }

    @Test func `missing real-time priority is told with the first connection and not again`() {
        var watch = OutputWatch(started: 0)
        #expect(watch.change(report(.connected, isRealtime: false), at: 1) == .connected(lacksPriority: true))
        #expect(watch.change(report(.waiting, fault: 1), at: 2) == .waiting)
        #expect(watch.change(report(.connected, isRealtime: false), at: 3) == .connected(lacksPriority: false))
    }

    @Test func `wake-ups are a rate over about a second, by their count and the time that has passed`() {
        var wakeUps = WakeUps()
        wakeUps.count(1_000, 0)
        #expect(wakeUps.perSecond == 0)
        wakeUps.count(1_050, Self.second / 2)
        #expect(wakeUps.perSecond == 0, "too soon to tell")
        wakeUps.count(1_100, Self.second)
        #expect(wakeUps.perSecond == 100)
        wakeUps.count(1_110, 3 * Self.second)
        #expect(wakeUps.perSecond == 5)
    }
}
