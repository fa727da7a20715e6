import NIOCore
import NIOWebSocket

/// A WebSocket as a stream of lines, both ways: each message is one. Thread: its event loop.
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
            // In JSON a line's end is but a space between words.
            line.writeBytes(frame.unmaskedData.readableBytesView.map { $0 == UInt8(ascii: "\n") ? UInt8(ascii: " ") : $0 })
            line.writeInteger(UInt8(ascii: "\n"))
            context.fireChannelRead(wrapInboundOut(line))
        // To many of them the latest answer does (section 5.5.3); a client that does not read gets none.
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
        // An empty write asks to be told when all before it is gone.
        guard line.readableBytes > 0 else {
            promise?.succeed()
            return
        }
        line.moveWriterIndex(to: line.writerIndex - 1)
        context.write(wrapOutboundOut(WebSocketFrame(fin: true, opcode: .text, data: line)), promise: promise)
    }
}

/// Before frames are put together: what a client sends is masked, with no reserved bit set and of a kind that there is, or the connection
/// ends (RFC 6455, sections 5.1 and 5.2). One with too many frames that are no messages ends, too: each costs time, and nobody needs them.
final class FrameCheck: ChannelInboundHandler {
    typealias InboundIn = WebSocketFrame
    typealias InboundOut = WebSocketFrame

    /// Pings, pongs and pieces of messages in a second.
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
    /// Says why, and closes the WebSocket.
    fileprivate func close(_ code: WebSocketErrorCode?) {
        var data = channel.allocator.buffer(capacity: 2)
        if let code { data.write(webSocketErrorCode: code) }
        let channel = channel
        writeAndFlush(NIOAny(WebSocketFrame(fin: true, opcode: .connectionClose, data: data)))
            .whenComplete { _ in channel.close(promise: nil) }
    }
}
