import Realtime
import Signals
import Synth
import Testing
import Units

@testable import AudioOutput

@Suite struct VirtualClockTests {
    /// 48 kHz: a second that is 60 s long has 2,880,000 frames.
    @Test func `time that goes 60 times as fast is the clock's, and that of what is done by it`() {
        let instructions = Ring.make(of: Instruction.self, capacity: 64)
        let notices = Ring.make(of: Notice.self, capacity: 64)
        let reports = Latest.make(OutputReport())
        let renderer = Renderer(EngineSettings(), instructions: instructions.consumer, notices: notices.producer, reports: reports.writer)
        let latency = renderer.latency
        var control = instructions.producer
        let told = notices.consumer
        var reader = reports.reader
        var player = Player(renderer, queue: .zero, bell: Doorbell(), state: .null, now: 1_000_000_000, speed: 60)
        player.runFree(now: 2_000_000_000)
        let clock = reader.read().clock
        #expect(abs(clock.position(at: 2_000_000_000) - 2_880_000) < 0.01)
        #expect(abs(clock.position(at: 2_500_000_000) - 4_320_000) < 0.01)

        _ = control.push(.event(due: Due(.zero), gap: .zero))
        player.runFree(now: 3_000_000_000)
        guard case .placed(let frame)? = told.peek() else {
            Issue.record("the event is not placed")
            return
        }
        #expect(abs((frame - Frame(5_760_000)).rawValue + latency.rawValue) <= 1)
    }
}
