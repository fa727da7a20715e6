import Synth
import Testing
import Units

@testable import Live

extension AttenuationWatch {
    /// While `frame` is heard. Others may have had it so for 960 frames.
    fileprivate mutating func look(_ report: OutputReport, frame: Int64) -> Change? {
        change(report, at: frame * 16_384, noticedWithin: 960 * 16_384, latency: FrameCount(48))
    }
}

@Suite struct AttenuationWatchTests {
    /// A frame lasts 16,384 ns, which numbers have exactly; frame 0 is heard at 0.
    private func report(_ change: (inout Attenuation) -> Void = { _ in }) -> OutputReport {
        var report = OutputReport()
        report.state = .connected
        report.clock = PlayClock(frame: 0, nanoseconds: 0, framesPerNanosecond: 1 / 16_384)
        report.rendered = Frame(1_000_000)
        report.sinkBlock = FrameCount(240)
        change(&report.attenuation)
        return report
    }

    @Test func `a mute begins as long before it is noticed as that may take, and ends when the sink has taken the next block`() {
        var watch = AttenuationWatch()
        #expect(watch.look(report(), frame: 24_000) == nil)
        let muted = report { $0.sink.isMuted = true }
        #expect(watch.look(muted, frame: 48_000) == .silent(from: Frame(48_000 - 960 - 48)))
        #expect(watch.look(muted, frame: 96_000) == nil)
        #expect(watch.look(report(), frame: 192_000) == .heard(from: Frame(192_000 + 240 - 48)))
        #expect(watch.look(report(), frame: 240_000) == nil)
    }

    @Test(arguments: [(0.0, true), (0.0009, true), (0.0011, false), (1, false)])
    func `what others turn down below -60 dB is not heard`(magnitude: Double, isSilent: Bool) {
        var watch = AttenuationWatch()
        let change = watch.look(report { $0.stream.magnitude = magnitude }, frame: 48_000)
        #expect((change != nil) == isSilent)
    }

    @Test func `a sound server that goes away says nothing about mutes`() {
        var watch = AttenuationWatch()
        _ = watch.look(report { $0.stream.isMuted = true }, frame: 48_000)
        var waiting = report()
        waiting.state = .waiting
        #expect(watch.look(waiting, frame: 96_000) == nil)
        #expect(watch.look(report { $0.stream.isMuted = true }, frame: 144_000) == nil)
        #expect(watch.look(report(), frame: 192_000) != nil)
    }
}
