import NIOCore
import NIOWebSocket
import Wire

/// Makes clients out of WebSocket connections, with one request per message. The HTTP server opens the connections and hands them over.
public struct WebSocketClients: Sendable {
    private let service: any ControlService
    private let clients: ClientList
    private let limits: Limits

    /// `clients` counts these clients together with the clients of other ways in.
    public init(_ service: any ControlService, _ clients: ClientList, _ limits: Limits) {
        self.service = service
        self.clients = clients
        self.limits = limits
    }

    /// Makes a client of a channel that delivers WebSocket frames. Call it on the channel's event loop, which must be that of `clients`.
    /// `wayIn` decides what the client may do, `isLocal` is whether it is on this machine, `identity` who it is. Throws NIO's error for a
    /// closed channel.
    public func add(_ channel: any Channel, as wayIn: WayIn, isLocal: Bool, identity: Identity) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(FrameCheck())
        // The fragments of a message count as one message.
        try pipeline.addHandler(NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 1024, maxAccumulatedFrameSize: limits.line))
        try pipeline.addHandler(WebSocketLines())
        try pipeline.addHandler(ClientHandler(service, clients, limits, as: wayIn, isLocal: isLocal, identity: identity))
        try channel.syncOptions?.setOption(.writeBufferWaterMark, value: Outbox.waterMark)
    }
}

/// Turns messages of a WebSocket into lines, and lines into messages. Thread: its event loop.
final class WebSocketLines: ChannelDuplexHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = WebSocketFrame

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        switch frame.opcode {
        case .text where String(validating: frame.unmaskedData.readableBytesView, as: UTF8.self) == nil:
            context.close(.dataInconsistentWithMessage)
        case .text:
            var line = context.channel.allocator.buffer(capacity: frame.length + 1)
            // A newline between the tokens of JSON means the same as a space.
            line.writeBytes(frame.unmaskedData.readableBytesView.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 })
            line.writeInteger(UInt8(ascii: "\n"))
            context.fireChannelRead(wrapInboundOut(line))
        // A pong to the latest of several pings is enough (section 5.5.3). A client that does not read gets none.
        case .ping where !context.channel.isWritable: break
        case .ping:
            let pong = WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData)
            context.writeAndFlush(wrapOutboundOut(pong), promise: nil)
        case .connectionClose:
            var reason = frame.unmaskedData
            context.close(reason.readWebSocketErrorCode())
        case .binary:
            context.close(.unacceptableData)
        default: break
        }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        var line = unwrapOutboundIn(data)
        // An empty write asks to be notified when everything written before has been sent.
        guard line.readableBytes > 0 else {
            promise?.succeed()
            return
        }
        line.moveWriterIndex(to: line.writerIndex - 1)
        context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: line)), promise: promise)
    }
}

/// Checks frames before they are joined into messages. A frame without a mask, of an unknown kind or with reserved bits ends the connection
/// (RFC 6455, sections 5.1 and 5.2), and so does a flood of control frames and fragments.
final class FrameCheck: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame

    /// The largest number of pings, pongs and fragments in a second.
    private static let rate = 2_000

    private var allowance = Allowance(rate: rate)

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let frame = unwrapInboundIn(data)
        let isKnown = [.text, .binary, .continuation, .ping, .pong, .connectionClose].contains(frame.opcode)
        let isMessage = frame.fin && frame.opcode == .text
        if frame.maskKey == nil || frame.rsv1 || frame.rsv2 || frame.rsv3 || !isKnown {
            context.close(.protocolError)
        } else if !isMessage, !allowance.take() {
            context.close(.policyViolation)
        } else {
            context.fireChannelRead(data)
        }
    }
}

extension ChannelHandlerContext {
    /// Sends a close frame, with `code` unless that is nil, and closes the connection.
    fileprivate func close(_ code: WebSocketErrorCode?) {
        var data = channel.allocator.buffer(capacity: 2)
        if let code { data.write(webSocketErrorCode: code) }
        let channel = channel
        writeAndFlush(NIOAny(WebSocketFrame(fin: true, opcode: .connectionClose, data: data)))
            .whenComplete { _ in channel.close(promise: nil) }
    }
}
