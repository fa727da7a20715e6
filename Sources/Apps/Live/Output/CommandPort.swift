import Conductor
import Realtime
import Signals
import Synth

/// Sends commands to the render thread. An event's commands arrive together or not at all.
struct CommandPort: ~Copyable {
    private var ring: RingProducer<Instruction>
    private let bell: RenderBell
    private var isVisitorPresent = false

    init(_ ring: consuming RingProducer<Instruction>, bell: RenderBell) {
        self.ring = ring
        self.bell = bell
    }

    /// Whether there is room for an event, and for as many more as releasing everything takes.
    var isOpen: Bool { ring.room >= 2048 }

    /// Whether there is room for an event that releases something, and for all that the conductor may have to send before it.
    var hasRoomToRelease: Bool { ring.room >= Conductor.mostBatches * (1 + CommandBatch.capacity) }

    /// Call only with room.
    mutating func send(_ batch: CommandBatch) {
        precondition(batch.commands.count <= CommandBatch.capacity, "no event has so many commands")
        var isWhole = ring.stage(.event(due: batch.due, gap: batch.gap))
        for command in batch.commands { isWhole = ring.stage(.command(command)) && isWhole }
        precondition(isWhole, "there is room for an event where it was asked for")
        ring.publish()
        bell.ring()
    }

    /// Tells whether somebody is there, or the piece plays by itself, if that has changed.
    mutating func tell(visitorIsPresent: Bool) {
        guard visitorIsPresent != isVisitorPresent, ring.push(.visitor(present: visitorIsPresent)) else { return }
        isVisitorPresent = visitorIsPresent
        bell.ring()
    }
}
