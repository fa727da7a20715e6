import Realtime
import Signals
import Units

/// The control side's way to the render thread. Where the ring is full, because that thread stands still, notes are lost,
/// and of the tone's state the last is kept and sent when there is room again: nothing gets stuck on. Each command that
/// did not go through at once is counted.
struct CommandPort: ~Copyable {
    private var ring: RingProducer<StampedCommand>
    private var backlog = Backlog()
    /// Commands that were lost, or kept for later.
    private(set) var dropped: UInt64 = 0

    init(_ ring: consuming RingProducer<StampedCommand>) { self.ring = ring }

    mutating func send(_ command: StampedCommand) {
        flush()
        if backlog.isEmpty, ring.push(command) { return }
        backlog.keep(command)
        dropped += 1
    }

    /// Sends what was kept, if there is room for all of it.
    mutating func flush() {
        guard !backlog.isEmpty, ring.room >= Backlog.capacity else { return }
        for command in backlog.commands { _ = ring.push(command) }
        backlog = Backlog()
    }
}

/// The least that must reach the engine for it to be in the state it should be in.
struct Backlog {
    static let capacity = 5

    private var clear: StampedCommand?
    private var pitch: StampedCommand?
    private var level: StampedCommand?
    private var gate: StampedCommand?

    /// In an order that gives the same state, with frames that never go back.
    var commands: [StampedCommand] {
        let kept = [clear, pitch, level, gate].compactMap { $0 }
        guard let latest = kept.map(\.frame).max() else { return [] }
        return kept.map { StampedCommand($0.command, at: latest) }
    }

    var isEmpty: Bool { clear == nil && pitch == nil && level == nil && gate == nil }

    /// Notes are not kept: they make no sense late.
    mutating func keep(_ command: StampedCommand) {
        switch command.command {
        case .reset: self = Backlog(clear: command)
        case .stop:
            gate = nil
            // A reset is a stop and more.
            if case .reset? = clear?.command { break }
            clear = command
        case .pitch: pitch = command
        case .level: level = command
        case .gate: gate = command
        case .note: break
        }
    }

    init() {}

    private init(clear: StampedCommand) { self.clear = clear }
}
