import Fields
import Signals
import Synth
import Testing
import Units
import Wire

@testable import Live

/// At 48,000 Hz a frame takes 20,833⅓ ns, so 48 frames are a millisecond.
@Suite struct EventTimingTests {
    private let timing = EventTiming(rate: .standard, latency: FrameCount(96))
    private static let second: Int64 = 1_000_000_000

    /// Frame 48,000 is heard at second 1; an event is to be heard 480 frames (10 ms) after it.
    private var report: OutputReport {
        var report = OutputReport()
        report.clock = PlayClock(frame: 48_000, nanoseconds: Self.second, framesPerNanosecond: 48_000 / 1e9)
        report.eventToSound = FrameCount(480)
        return report
    }

    @Test func `what happens now is due at the frame heard now, less the engine's latency, and late after the lead and a millisecond`() {
        let due = timing.due(2 * Self.second, report)
        #expect(due == Due(Frame(96_000 - 96), deadline: Frame(96_000 - 96 + 480 + 48)))
    }

    @Test func `what has happened is due the lead after its stamp, however late it is reported`() {
        let stamp = 2 * Self.second
        for delay: Int64 in [0, 5_000_000, 9_900_000] {
            #expect(timing.due(stamp + delay, stamp: stamp, report) == Due(Frame(96_000 - 96 + 480), stamp: stamp))
        }
    }

    @Test func `a tick is asked for the lead before its frame is heard, and not before anybody knows when that is`() {
        // Frame 96,000 leaves the engine 96 frames later, at second 2 and 2 ms, and takes 10 ms.
        let moment = timing.moment(forTickAt: Frame(96_000), report)
        #expect(moment.map { abs($0 - (2 * Self.second + 2_000_000 - 10_000_000)) <= 1 } == true)
        #expect(timing.moment(forTickAt: Frame(96_000), OutputReport()) == nil)
    }

    @Test func `what is reported later than the lead is due at once, and late`() {
        let stamp = 2 * Self.second
        let due = timing.due(stamp + 20_000_000, stamp: stamp, report)
        #expect(due == Due(Frame(96_960 - 96), deadline: Frame(96_000 - 96 + 480), stamp: stamp))
    }

    @Test func `moments up to ten minutes ahead are planned, and all others are acted on at once`() {
        let now = 100 * Self.second
        #expect(timing.turn(of: nil, at: now) == .atOnce(stamp: nil))
        #expect(timing.turn(of: .at(now), at: now) == .atOnce(stamp: now))
        #expect(timing.turn(of: .at(now - 5), at: now) == .atOnce(stamp: now - 5))
        #expect(timing.turn(of: .at(now + 1), at: now) == .planned(heard: now + 1))
        #expect(timing.turn(of: .after(0), at: now) == .atOnce(stamp: now))
        #expect(timing.turn(of: .after(1.5), at: now) == .planned(heard: now + 1_500_000))
        #expect(timing.turn(of: .after(600_000), at: now) == .planned(heard: now + 600 * Self.second))
        #expect(timing.turn(of: .at(now + 600 * Self.second + 1), at: now) == .atOnce(stamp: now + 600 * Self.second + 1))
    }

    @Test func `what is stamped for a moment is due at the frame that is heard then`() {
        let heard = 3 * Self.second
        let stamp = timing.stamp(for: heard, eventToSound: report.eventToSound)
        #expect(stamp == heard - 10_000_000)
        #expect(timing.due(stamp, stamp: stamp, report).frame == Frame(144_000 - 96))
    }

    @Test func `an event may be ten seconds old and no older, and has not happened in the future`() {
        let now = 100 * Self.second
        func refusal(_ stamp: Int64?) -> String? {
            do throws(Fault) {
                try timing.check(stamp, at: now)
                return nil
            } catch {
                return error.field
            }
        }
        #expect(refusal(nil) == nil && refusal(now) == nil && refusal(now - 10 * Self.second) == nil)
        #expect(refusal(now + 1) == "at" && refusal(now - 10 * Self.second - 1) == "at")
        for stamp in [0, now - 11 * Self.second, now - 5, now, now + 7] {
            #expect(refusal(timing.accepted(stamp, at: now)) == nil, "what a screen stamps is never refused")
        }
        #expect(timing.accepted(now - 5, at: now) == now - 5)
    }

    @Test func `a stop has been heard after the lead, the sink's block and the time to stop`() {
        var report = report
        report.sinkBlock = FrameCount(960)
        let fade = SampleRate.standard.frames(in: .stopTime).rawValue
        #expect(timing.timeToStop(report) == (480 + 960 + fade) * Self.second / 48_000)
    }
}

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
