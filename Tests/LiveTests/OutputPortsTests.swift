import AudioOutput
import NIOEmbedded
import Realtime
import Synth
import Testing
import Units

@testable import Live

@Suite struct OutputPortsTests {
    @Test func `what is felt goes by what the render thread says now, whether or not anything has happened since`() {
        let latest = Latest.make(OutputReport())
        var writer = latest.writer
        let instructions = Ring.make(of: Instruction.self, capacity: 64)
        let ports = OutputPorts(CommandPort(instructions.producer, bell: RenderBell(Doorbell(), on: EmbeddedEventLoop())), reports: latest.reader, latency: FrameCount(48))
        for slowness in [1.0, 1.5, 1.0] {
            var report = OutputReport()
            report.clock = PlayClock(frame: 48_000, nanoseconds: 1_000_000_000, framesPerNanosecond: 48_000 / 1e9 / slowness)
            writer.publish(report)
            // 48,000 frames further on, and 48 for the engine.
            #expect(abs(ports.moment(of: Frame(96_000)) - Int64(1e9 + 1.001e9 * slowness)) <= 1)
        }
    }
}
