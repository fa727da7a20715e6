import AudioOutput
import Conductor
import NIOEmbedded
import Realtime
import Signals
import Synth
import Testing
import Units

@testable import Live

@Suite struct CommandPortTests {
    @Test func `an event arrives whole, and rings the bell`() {
        let ends = Ring.make(of: Instruction.self, capacity: 4096)
        let bell = Doorbell()
        var port = CommandPort(ends.producer, bell: RenderBell(bell, on: EmbeddedEventLoop()))
        var consumer = ends.consumer
        port.send(CommandBatch(due: Due(Frame(7)), gap: FrameCount(3), commands: [.gate(open: true), .stop]))
        var seen: [String] = []
        while let next = consumer.peek() {
            seen.append("\(next)")
            consumer.drop()
        }
        #expect(seen.count == 3)
        #expect(seen.map { $0.prefix(5) } == ["event", "comma", "comma"])
        #expect(bell.hasRung(within: 0))
    }

    @Test func `when the render thread stands still, events are refused while there is still room to let go`() {
        let ends = Ring.make(of: Instruction.self, capacity: 4096)
        var port = CommandPort(ends.producer, bell: RenderBell(Doorbell(), on: EmbeddedEventLoop()))
        var events = 0
        while port.isOpen {
            port.send(CommandBatch(due: Due(Frame(0)), commands: [.gate(open: true)]))
            events += 1
        }
        #expect(events == 1025)
        var releases = 0
        while port.hasRoomToRelease {
            port.send(CommandBatch(due: Due(Frame(0)), commands: [.gate(open: false)]))
            releases += 1
        }
        // More than 256 clients and 64 fingers can hold.
        #expect(releases > 320)
    }

    @Test func `where there is room to let go, there is room for all that the conductor may send at once`() {
        let ends = Ring.make(of: Instruction.self, capacity: 4096)
        var port = CommandPort(ends.producer, bell: RenderBell(Doorbell(), on: EmbeddedEventLoop()))
        while port.hasRoomToRelease { port.send(CommandBatch(due: Due(Frame(0)), commands: [])) }
        // One is taken by the render thread: there is just room again.
        var consumer = ends.consumer
        _ = consumer.peek()
        consumer.drop()
        let hasRoom = port.hasRoomToRelease
        let fullest = CommandBatch(due: Due(Frame(0)), commands: [SynthCommand](repeating: .stop, count: CommandBatch.capacity))
        for _ in 0..<Conductor.mostBatches { port.send(fullest) }
        #expect(hasRoom)
    }

    @Test func `a visitor's coming and going is told once`() {
        let ends = Ring.make(of: Instruction.self, capacity: 8)
        var port = CommandPort(ends.producer, bell: RenderBell(Doorbell(), on: EmbeddedEventLoop()))
        let consumer = ends.consumer
        for present in [false, true, true, false, false] { port.tell(isInUse: present) }
        #expect(count(consumer) == 2)
    }

    private func count(_ consumer: consuming RingConsumer<Instruction>) -> Int {
        var consumer = consumer
        var count = 0
        while consumer.peek() != nil {
            consumer.drop()
            count += 1
        }
        return count
    }
}

@Suite struct RenderBellTests {
    @Test func `a turn's first event rings at once, and all others of the turn ring together when it is over`() {
        let loop = EmbeddedEventLoop()
        let door = Doorbell()
        let bell = RenderBell(door, on: loop)
        bell.ring()
        #expect(door.hasRung(within: 0))
        for _ in 0..<5 { bell.ring() }
        #expect(!door.hasRung(within: 0))
        loop.run()
        #expect(door.hasRung(within: 0))
        loop.run()
        #expect(!door.hasRung(within: 0))
    }

    @Test func `a turn with one event rings once, and so does the next turn`() {
        let loop = EmbeddedEventLoop()
        let door = Doorbell()
        let bell = RenderBell(door, on: loop)
        for _ in 0..<2 {
            bell.ring()
            #expect(door.hasRung(within: 0))
            loop.run()
            #expect(!door.hasRung(within: 0))
        }
    }
}
