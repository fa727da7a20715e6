import NIOCore

/// Lets somebody in who comes over HTTP, and closes the connection when its time is over. A channel's first handler, to its end or until
/// it becomes a WebSocket. Thread: its event loop.
final class Admission: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private static var patience: TimeAmount { .seconds(5) }

    private let pending: PendingConnections
    private var timer: Scheduled<Void>?

    init(_ pending: PendingConnections) { self.pending = pending }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        pending.add(channel)
        timer = context.eventLoop.scheduleTask(in: Self.patience) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        pending.remove(context.channel)
    }
}
