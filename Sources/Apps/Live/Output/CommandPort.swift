import AudioOutput
import Conductor
import Glibc
import NIOCore
import NIOPosix
import Realtime
import Signals
import Synth

/// Sends commands to the render thread. All commands of an event arrive together, or none does.
struct CommandPort: ~Copyable {
    private var ring: RingProducer<Instruction>
    private let bell: RenderBell
    private var wasInUse = false

    init(_ ring: consuming RingProducer<Instruction>, bell: RenderBell) {
        self.ring = ring
        self.bell = bell
    }

    /// Whether the ring has room for an event, and beyond that for the commands that release everything.
    var isOpen: Bool { ring.room >= 2048 }

    /// Whether the ring has room for an event that releases something, and for everything that the conductor may have to send before it.
    var hasRoomToRelease: Bool { ring.room >= Conductor.mostBatches * (1 + CommandBatch.capacity) }

    /// Sends the commands of an event. Must be called only where there is room.
    mutating func send(_ batch: CommandBatch) {
        precondition(batch.commands.count <= CommandBatch.capacity, "no event has so many commands")
        var isWhole = ring.stage(.event(due: batch.due, gap: batch.gap))
        for command in batch.commands { isWhole = ring.stage(.command(command)) && isWhole }
        precondition(isWhole, "there is room for an event where it was asked for")
        ring.publish()
        bell.ring()
    }

    /// Sends a command that belongs to no event. Does nothing where the ring has no room, as for an event.
    mutating func send(aside command: SynthCommand) {
        guard isOpen, ring.push(.aside(command)) else { return }
        bell.ring()
    }

    /// Tells the render thread whether the output is in use, if that has changed: a visitor is present, or the piece plays by itself, whose
    /// sound must be timed as exactly.
    mutating func tell(isInUse: Bool) {
        guard isInUse != wasInUse, ring.push(.inUse(isInUse)) else { return }
        wasInUse = isInUse
        bell.ring()
    }
}

/// Wakes the render thread after something was sent to it. It rings at once for the first event in a turn of the event loop, and once more
/// at the end of the turn for all other events. So a flood of events wakes the thread twice a turn. Thread: the event loop.
final class RenderBell {
    private let bell: Doorbell
    private let loop: any EventLoop
    /// Whether the bell has rung in the present turn of the event loop.
    private var hasRung = false
    private var isOwed = false

    init(_ bell: Doorbell, on loop: any EventLoop) {
        self.bell = bell
        self.loop = loop
    }

    func ring() {
        guard !hasRung else { return isOwed = true }
        hasRung = true
        bell.ring()
        loop.assumeIsolated().execute { self.endTurn() }
    }

    private func endTurn() {
        if isOwed { bell.ring() }
        (hasRung, isOwed) = (false, false)
    }
}

/// Receives the render thread's doorbell on an event loop.
final class BellHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let bell: Doorbell
    private let hear: () -> Void

    private init(_ bell: Doorbell, _ hear: @escaping () -> Void) {
        self.bell = bell
        self.hear = hear
    }

    /// Calls `hear` on `loop` each time that `bell` rings, until the channel is closed.
    static func listen(to bell: Doorbell, on loop: any EventLoop, _ hear: @escaping @Sendable () -> Void) async throws
        -> any Channel {
        try await NIOPipeBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(BellHandler(bell, hear))
                }
            }
            // The channel closes its descriptor, so it gets a duplicate.
            .takingOwnershipOfDescriptor(input: fcntl(bell.descriptor, F_DUPFD_CLOEXEC, 0)).get()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        bell.heard()
        hear()
    }
}
