import AudioOutput
import Glibc
import NIOCore
import NIOPosix

/// Hears the render thread's doorbell on an event loop.
final class BellHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let bell: Doorbell
    private let hear: () -> Void

    private init(_ bell: Doorbell, _ hear: @escaping () -> Void) {
        self.bell = bell
        self.hear = hear
    }

    /// Calls `hear` on `loop` whenever `bell` has rung, until the channel is closed.
    static func listen(to bell: Doorbell, on loop: any EventLoop, _ hear: @escaping @Sendable () -> Void) async throws
        -> any Channel {
        try await NIOPipeBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(BellHandler(bell, hear))
                }
            }
            // The channel closes what it reads from.
            .takingOwnershipOfDescriptor(input: fcntl(bell.descriptor, F_DUPFD_CLOEXEC, 0)).get()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        bell.heard()
        hear()
    }
}
