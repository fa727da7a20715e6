import Realtime
import Signals
import Synth
import Testing
import Units

@testable import AudioOutput

@Suite struct PacerTests {
    @Test func `time goes on at the pace of the clock, and a standstill is not made up for`() {
        let ring = Ring.make(of: StampedCommand.self, capacity: 4)
        let latest = Latest.make(RenderReport())
        var reports = latest.reader
        var renderer = Renderer(EngineSettings(), commands: ring.consumer, reports: latest.writer)
        let begin: Int64 = 7_000_000_000
        var pacer = Pacer(rate: .standard, now: begin)
        func frame(after milliseconds: Int64) -> Int64 {
            pacer.catchUp(&renderer, now: begin + milliseconds * 1_000_000, state: .null)
            return reports.read().anchor.frame.rawValue
        }
        // Whole frames due, however unevenly it is called: 48 a millisecond.
        let frames = [0, 1, 2, 5, 5, 250, 999].map { frame(after: $0) }
        #expect(frames == [0, 48, 96, 240, 240, 12_000, 47_952])
        // Suspended for an hour: on from where it was, at the same pace.
        let after = [3_600_000, 3_600_010].map { frame(after: $0) }
        #expect(after == [47_952, 48_432])
    }

    @Test func `commands take effect while nobody listens`() {
        let ring = Ring.make(of: StampedCommand.self, capacity: 4)
        var producer = ring.producer
        let latest = Latest.make(RenderReport())
        var reports = latest.reader
        var renderer = Renderer(EngineSettings(), commands: ring.consumer, reports: latest.writer)
        var pacer = Pacer(rate: .standard, now: 0)
        let pushed = [100, 200].map { producer.push(StampedCommand(.gate(open: true), at: Frame($0))) }
        pacer.catchUp(&renderer, now: 10_000_000, state: .waiting)
        let room = producer.room
        let report = reports.read()
        #expect(pushed == [true, true] && room == 4)
        #expect(report.lateCommands == 0 && report.state == .waiting)
    }
}
