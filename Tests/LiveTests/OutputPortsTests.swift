import AudioOutput
import Calendar
import Fields
import Journal
import NIOEmbedded
import Realtime
import Signals
import Synth
import Testing
import Unhooked
import Units
import Wire

@testable import Live

@Suite struct OutputPortsTests {
    /// Nobody renders.
    private func ports() -> OutputPorts {
        let instructions = Ring.make(of: Instruction.self, capacity: 64)
        let reports = Latest.make(OutputReport())
        return OutputPorts(CommandPort(instructions.producer, bell: RenderBell(Doorbell(), on: EmbeddedEventLoop())),
                           reports: reports.reader, latency: FrameCount(48), of: Unhooked.declaration)
    }

    @Test func `of an event only operators are told which household enters, what is known of it, and of purchases`() {
        let ports = ports()
        let told = [Lines(), Lines()]
        for (client, role) in [Role.operator, .watch].enumerated() {
            ports.guests.connected(client, as: role)
            ports.subscribers.add(client) { told[client].take($0) }
            _ = ports.subscribers.subscribe(client, to: [.event])
        }
        func tell(_ kind: EventKind) { ports.tell(.event(Event(client: .connection(7), kind), at: .zero, cues: [])) }
        func action(_ name: String, _ fields: [String: JSONValue]) -> EventKind { .action(Action(UncheckedAction(name: name, fields: fields))) }
        tell(action("unhooked.enter", ["household": .text("Ada")]))
        tell(.arrival(Arrival(CivilTime(instant: 0, utcOffset: 0), memory: .object(["household": .text("Ada")]))))
        tell(action("unhooked.feed", ["food": .text("kibble"), "key": .text("a")]))
        tell(action("unhooked.purchase", ["productId": .text("gems_500")]))
        #expect(told[0].all.count == 4 && told[0].all.filter { $0.contains("Ada") }.count == 2)
        #expect(told[1].all.count == 3 && told[1].all.allSatisfy { !$0.contains("Ada") && !$0.contains("gems_500") }, "\(told[1].all)")
        #expect(told[1].all.first?.contains(#""event":"unhooked.enter""#) == true && told[1].all.last?.contains(#""number":3"#) == true)
    }

    @Test func `what is felt goes by what the render thread says now, whether or not anything has happened since`() {
        let latest = Latest.make(OutputReport())
        var writer = latest.writer
        let instructions = Ring.make(of: Instruction.self, capacity: 64)
        let ports = OutputPorts(CommandPort(instructions.producer, bell: RenderBell(Doorbell(), on: EmbeddedEventLoop())), reports: latest.reader, latency: FrameCount(48), of: Unhooked.declaration)
        for slowness in [1.0, 1.5, 1.0] {
            var report = OutputReport()
            report.clock = PlayClock(frame: 48_000, nanoseconds: 1_000_000_000, framesPerNanosecond: 48_000 / 1e9 / slowness)
            writer.publish(report)
            // 48,000 frames further on, and 48 for the engine.
            #expect(abs(ports.moment(of: Frame(96_000)) - Int64(1e9 + 1.001e9 * slowness)) <= 1)
        }
    }
}
