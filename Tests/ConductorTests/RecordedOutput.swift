import Conductor
import Direct
import Experience
import Journal
import Signals
import Units

/// Collects what the conductor sends out.
final class RecordedOutput {
    /// Without the events' cues, which are in `cues`.
    var journal: [JournalEntry] = []
    var cues: [[Cue]] = []
    /// With them.
    var whole: [JournalEntry] = []
    var synth: [(frame: Frame, command: SynthCommand)] = []
    var batches: [CommandBatch] = []
    var haptics: [String] = []
    /// As they began and ended where they are felt.
    var textures: [String] = []
    var told: [Announcement] = []
    var kept: [Conductor.Keeping] = []
    /// Batches that a test has had placed.
    var placed = 0

    var ports: Conductor.Ports {
        Conductor.Ports(journal: { self.record($0) }, synth: { batch in
                            self.batches.append(batch)
                            self.synth += batch.commands.map { (batch.due.frame, $0) }
                        },
                        haptic: { cue, _ in
                            if case .haptic(let name) = cue { self.haptics.append(name) }
                            if case .texture(let name, let on) = cue { self.textures.append((on ? "+" : "-") + name) }
                            if case .stop = cue { self.textures.append("stop") }
                        },
                        tell: { self.told.append($0) }, keep: { self.kept.append($0) })
    }

    private func record(_ entry: JournalEntry) {
        journal.append(entry.withoutOutcome)
        whole.append(entry)
        if case .event(_, _, _, let gave?) = entry { cues.append(gave.cues) }
    }

    var gates: [(Int64, Bool)] {
        synth.compactMap { if case .gate(let open) = $0.command { ($0.frame.rawValue, open) } else { nil } }
    }
}

func began(_ client: Int = 1) -> Event { Event(client: Client(number: client), .touch(Touch(.began))) }
func ended(_ client: Int = 1) -> Event { Event(client: Client(number: client), .touch(Touch(.ended))) }

func lowering(_ theme: Theme) -> CueLowering { CueLowering(theme, numbers: [:], hasTransducer: false) }

/// 2026-01-01T00:00:00Z.
let clock = 1_767_225_600.0

extension Conductor {
    /// Creates a conductor of the piece that does what it is told, whose runs have the seeds 41, 42 and so on.
    init(directlyInto output: RecordedOutput) {
        var seeds: UInt64 = 40
        self.init(Direct.self, theme: .standard, rate: .standard, idle: Seconds(45), lowering: lowering, ports: output.ports, seed: {
            seeds += 1
            return seeds
        }, clock: { clock }, utcOffset: { _ in 3600 })
    }

    /// Handles an event, and has the output place it at `placed`, or where it is due. Nil when it does not count.
    mutating func handle(_ event: Event, at frame: Int64, placed: Int64?, in output: RecordedOutput) throws -> Frame? {
        guard try handle(event, at: Due(Frame(frame))) else { return nil }
        return self.placed(at: placed.map { Frame($0) } ?? output.batches[output.batches.count - 1].due.frame).position
    }
}
