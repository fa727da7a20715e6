import Realtime
import Signals
import Synth
import Testing
import Units

@testable import Live

@Suite struct CommandPortTests {
    private func chime(_ frame: Int64) -> StampedCommand {
        let note = ChimeNote(start: .zero, frequency: Hertz(500), level: Decibels(-20), attack: Seconds(0.01),
                             decay: Seconds(1), partials: [Partial(ratio: 1, level: Decibels(0))])
        return StampedCommand(.note(NoteCommand(note)), at: Frame(frame))
    }

    @Test func `when the render thread stands still, notes are lost and counted, and the tone does not get stuck`() {
        let ends = Ring.make(of: StampedCommand.self, capacity: 16)
        var port = CommandPort(ends.producer)
        var consumer = ends.consumer
        port.send(StampedCommand(.gate(open: true), at: Frame(0)))
        for n in 1...40 { port.send(chime(Int64(n))) }
        port.send(StampedCommand(.pitch(Hertz(300), glide: .zero), at: Frame(41)))
        port.send(StampedCommand(.pitch(Hertz(400), glide: .zero), at: Frame(42)))
        port.send(StampedCommand(.gate(open: false), at: Frame(43)))
        let dropped = port.dropped
        // 25 notes, two pitches and the gate.
        #expect(dropped == 28)

        // The thread goes on: it finds the old commands, and then the last state.
        var seen: [String] = []
        func drain() {
            while let next = consumer.peek() {
                switch next.command {
                case .gate(let open): seen.append("gate \(open) \(next.frame.rawValue)")
                case .pitch(let pitch, _): seen.append("pitch \(Int(pitch.rawValue)) \(next.frame.rawValue)")
                case .note: break
                default: seen.append("other")
                }
                consumer.drop()
            }
        }
        drain()
        #expect(seen == ["gate true 0"])
        port.flush()
        drain()
        #expect(seen == ["gate true 0", "pitch 400 43", "gate false 43"])
        // And then all is as before.
        port.send(chime(50))
        let next = consumer.peek()
        #expect(next?.frame == Frame(50))
    }

    @Test func `a stop that had to wait closes the gate that was opened before it`() {
        var backlog = Backlog()
        for command in [SynthCommand.gate(open: true), .stop, .level(Decibels(-10))] {
            backlog.keep(StampedCommand(command, at: Frame(5)))
        }
        let kinds = backlog.commands.map { "\($0.command)".prefix(5) }
        #expect(kinds == ["stop", "level"])
    }

    @Test func `events between two render calls keep their distance, and none is due in the past`() {
        let clock = LiveClock(rate: .standard)
        let anchor = ClockAnchor(frame: Frame(10_000), nanoseconds: 5_000_000_000)
        #expect(clock.frame(at: 5_000_000_000, after: anchor) == Frame(10_048))
        #expect(clock.frame(at: 5_002_000_000, after: anchor) == Frame(10_144))
        #expect(clock.frame(at: 4_000_000_000, after: anchor) == Frame(10_048))
        // Nor far in the future: after a standstill, or before the first block, the anchor is old.
        #expect(clock.frame(at: 90_000_000_000_000, after: anchor) == Frame(22_048))
    }
}
