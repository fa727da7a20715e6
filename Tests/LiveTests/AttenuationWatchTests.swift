import Synth
import Testing
import Units

@testable import Live

@Suite struct AttenuationWatchTests {
    /// 48 frames a millisecond, frame 0 at 0.
    private func report(_ change: (inout Attenuation) -> Void = { _ in }) -> OutputReport {
        var report = OutputReport()
        report.state = .connected
        report.clock = PlayClock(frame: 0, nanoseconds: 0, framesPerNanosecond: 48e-6)
        report.rendered = Frame(1_000_000)
        report.sinkBlock = FrameCount(240)
        change(&report.attenuation)
        return report
    }

    private func look(_ watch: inout AttenuationWatch, _ report: OutputReport, milliseconds: Int64) -> AttenuationWatch.Change? {
        watch.change(report, at: milliseconds * 1_000_000, noticedWithin: 20_000_000, latency: FrameCount(48))
    }

    @Test func `a mute begins up to 20 ms before it is noticed, and ends when the sink has taken the next block`() {
        var watch = AttenuationWatch()
        #expect(look(&watch, report(), milliseconds: 500) == nil)
        let muted = report { $0.sink.isMuted = true }
        #expect(look(&watch, muted, milliseconds: 1_000) == .silent(from: Frame(980 * 48 - 48)))
        #expect(look(&watch, muted, milliseconds: 2_000) == nil)
        #expect(look(&watch, report(), milliseconds: 4_000) == .heard(from: Frame(4_000 * 48 + 240 - 48)))
        #expect(look(&watch, report(), milliseconds: 5_000) == nil)
    }

    @Test(arguments: [(0.0, true), (0.0009, true), (0.0011, false), (1, false)])
    func `what others turn down below -60 dB is not heard`(magnitude: Double, isSilent: Bool) {
        var watch = AttenuationWatch()
        #expect((look(&watch, report { $0.stream.magnitude = magnitude }, milliseconds: 1_000) != nil) == isSilent)
    }

    @Test func `a sound server that goes away says nothing about mutes`() {
        var watch = AttenuationWatch()
        _ = look(&watch, report { $0.stream.isMuted = true }, milliseconds: 1_000)
        var waiting = report()
        waiting.state = .waiting
        #expect(look(&watch, waiting, milliseconds: 2_000) == nil)
        #expect(look(&watch, report { $0.stream.isMuted = true }, milliseconds: 3_000) == nil)
        #expect(look(&watch, report(), milliseconds: 4_000) != nil)
    }
}
