import NIOCore

/// Lets somebody in who comes over HTTP, if there is room, and closes the connection when its time is over. A channel's first handler, to
/// its end or until it becomes a WebSocket. Thread: its event loop.
final class Admission: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    private static var patience: TimeAmount { .seconds(5) }

    private let visitors: ClientList
    private var isAdmitted = false
    private var timer: Scheduled<Void>?

    init(_ visitors: ClientList) { self.visitors = visitors }

    func handlerAdded(context: ChannelHandlerContext) {
        let channel = context.channel
        isAdmitted = visitors.admit() != nil
        timer = context.eventLoop.scheduleTask(in: isAdmitted ? Self.patience : .zero) { channel.close(promise: nil) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        if isAdmitted { visitors.leave() }
        isAdmitted = false
    }

    /// Whoever is not let in is not answered.
    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isAdmitted { context.fireChannelRead(data) }
    }
}
