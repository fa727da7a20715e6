import NIOCore
import Wire

/// One client's connection: bytes to requests, answers to bytes. Thread: its event loop.
final class ClientHandler<Service: ControlService>: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let service: Service
    private let clients: ClientList
    private var client: Int?
    private var framer = LineFramer()
    /// Answers to what was read are flushed together; later ones at once.
    private var isReading = false
    private var isAdmitted = false
    private var hasLeft = false
    /// Requests whose answer is still to come.
    private var unanswered = 0

    init(_ service: Service, _ clients: ClientList) {
        self.service = service
        self.clients = clients
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let client = clients.admit() else {
            send(Reply.line(error: ErrorReply(.refused, "\(ControlServer.clientLimit) clients are connected already")),
                 context)
            context.flush()
            context.close(promise: nil)
            return
        }
        self.client = client
        isAdmitted = true
        let channel = context.channel
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        service.connected(client) { line in
            guard channel.isWritable else { return false }
            channel.write(channel.allocator.buffer(bytes: line), promise: nil)
            if !handler.value.isReading { channel.flush() }
            return true
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        if isAdmitted { clients.leave() }
        isAdmitted = false
        context.fireChannelInactive()
    }

    /// Its sending side is closed: it holds nothing any more, and goes when it has its answers.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            leave()
            hasLeft = true
            if unanswered == 0 { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func leave() {
        if let client { service.disconnected(client) }
        client = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isReading = true
        for line in framer.append(unwrapInboundIn(data).readableBytesView) {
            // A client that is gone reports nothing any more: nobody would let go of what it held.
            guard let client else { return }
            switch line {
            case .oversized:
                send(Reply.line(error: ErrorReply(.invalidRequest, "a line has at most \(framer.limit) bytes")), context)
            case .complete(let bytes) where bytes.allSatisfy({ $0 == UInt8(ascii: " ") }):
                break
            case .complete(let bytes):
                do throws(ErrorReply) {
                    let channel = context.channel
                    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
                    let request = try Request.read(bytes)
                    if request.id != nil { unanswered += 1 }
                    service.answer(request, from: client) { answer in
                        guard !answer.isEmpty else { return }
                        handler.value.unanswered -= 1
                        channel.write(channel.allocator.buffer(bytes: answer), promise: nil)
                        if !handler.value.isReading { channel.flush() }
                        if handler.value.hasLeft, handler.value.unanswered == 0 { channel.close(promise: nil) }
                    }
                } catch {
                    send(Reply.line(error: error), context)
                }
            }
        }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.flush()
        context.fireChannelReadComplete()
    }

    /// A client that does not read its answers is not listened to until it does: they cannot pile up.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        context.channel.setOption(.autoRead, value: context.channel.isWritable).whenFailure { _ in }
        context.fireChannelWritabilityChanged()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        guard !bytes.isEmpty else { return }
        // Flushed when all that was read is answered: a flush can find the client gone, in the middle of its lines.
        context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
    }
}
