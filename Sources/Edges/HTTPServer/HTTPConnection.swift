import NIOCore
import NIOHTTP1

/// One connection over HTTP: a request, its answer, and the next; to its end or until it becomes a WebSocket. Thread: its event loop.
final class HTTPConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Until a request is there as a whole.
    private static var patience: TimeAmount { .seconds(10) }
    /// Until its answer has been taken.
    private static var answerPatience: TimeAmount { .seconds(60) }

    private let access: HTTPAccess
    private let desk: HTTPDesk
    private let pending: PendingConnections
    private let limit: ByteLimit
    private let rejected: @Sendable (HTTPRejection) -> Void
    private var request: HTTPRequestHead?
    private var isAnswering = false
    private var isInputClosed = false
    private var timer: Scheduled<Void>?

    init(_ access: HTTPAccess, _ desk: HTTPDesk, _ pending: PendingConnections, _ limit: ByteLimit,
         rejected: @escaping @Sendable (HTTPRejection) -> Void) {
        self.access = access
        self.desk = desk
        self.pending = pending
        self.limit = limit
        self.rejected = rejected
    }

    func handlerAdded(context: ChannelHandlerContext) {
        pending.add(context.channel)
        close(context, after: Self.patience)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        pending.remove(context.channel)
    }

    private func close(_ context: ChannelHandlerContext, after patience: TimeAmount) {
        timer?.cancel()
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: patience) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = head
        // Nothing here takes one, and the limit of bytes bounds it.
        case .body: break
        case .end:
            guard let request else { return }
            self.request = nil
            isAnswering = true
            pending.heard(context.channel)
            close(context, after: Self.answerPatience)
            answer(request, context)
        }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            isInputClosed = true
            if !isAnswering { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func answer(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let answer: EventLoopFuture<HTTPAnswer>
        do throws(HTTPRefusal) {
            try access.check(request, at: context.localAddress)
            if request.uri.prefix(while: { $0 != "?" }) == HTTPDesk.socket { try refuseSocket(request, context) }
            answer = desk.answer(request)
        } catch {
            let peer = context.remoteAddress?.ipAddress ?? "an unknown address"
            if let rejection = HTTPRejection(error, of: request, from: peer) { rejected(rejection) }
            answer = context.eventLoop.makeSucceededFuture(HTTPAnswer(error))
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        answer.whenComplete { result in
            let (connection, context) = bound.value
            switch result {
            case .success(let answer): connection.write(answer, to: request, context)
            case .failure: context.close(promise: nil)
            }
        }
    }

    /// Why it has not become a WebSocket: who may ask at all comes before what is wrong with the request. Always throws.
    private func refuseSocket(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) throws(HTTPRefusal) {
        do throws(HTTPRefusal) {
            _ = try access.admission(of: request, from: context.remoteAddress)
        } catch {
            access.noteRefused(request, error, from: context.remoteAddress)
            throw error
        }
        try WebSocketHandshake.check(request)
        throw HTTPRefusal(.badRequest, "expected the request for a WebSocket to be the first of its connection")
    }

    private func write(_ answer: HTTPAnswer, to request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        // A refused request may have more behind it than was read.
        let isKept = request.isKeepAlive && !isInputClosed && answer.status.code < 400
        var headers = answer.headers
        headers.add(contentsOf: HTTPAnswer.precautions)
        if answer.status != .notModified { headers.add(name: "Content-Length", value: "\(answer.body.count)") }
        if headers["Connection"].isEmpty { headers.add(name: "Connection", value: isKept ? "keep-alive" : "close") }
        context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers))), promise: nil)
        if request.method != .HEAD, !answer.body.isEmpty {
            context.write(wrapOutboundOut(.body(.byteBuffer(context.channel.allocator.buffer(bytes: answer.body)))), promise: nil)
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            let (connection, context) = bound.value
            guard isKept, !connection.isInputClosed else { return context.close(promise: nil) }
            connection.isAnswering = false
            connection.limit.reset()
            connection.close(context, after: Self.patience)
        }
    }
}

/// Closes a connection on which more comes than a request has, whatever it is: the parser's own limits are wider.
final class ByteLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let most = 16_384
    private var left = most

    /// For the next request.
    func reset() { left = Self.most }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        left -= unwrapInboundIn(data).readableBytes
        if left >= 0 { context.fireChannelRead(data) } else { context.close(promise: nil) }
    }
}
