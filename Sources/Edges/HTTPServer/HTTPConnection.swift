import NIOCore
import NIOHTTP1

/// One connection over HTTP: a request, its answer, and the next, until it ends or becomes a WebSocket. The next request is not acted on
/// before the kernel has taken the whole answer, and no more than one piece of an answer is in memory. Thread: its event loop.
final class HTTPConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The time within which a request must be there as a whole.
    private static var patience: TimeAmount { .seconds(10) }
    /// The time within which the client must take the next piece of its answer.
    private static var answerPatience: TimeAmount { .seconds(60) }

    private let access: HTTPAccess
    private let desk: HTTPDesk
    private let pending: PendingConnections
    private let limit: ByteLimit
    private let number: Int
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
        number = pending.number()
        self.rejected = rejected
    }

    func handlerAdded(context: ChannelHandlerContext) {
        pending.add(context.channel)
        close(context, after: Self.patience)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        pending.remove(context.channel)
        desk.forget(number)
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
            if HTTPDesk.isSocket(request) { try refuseSocket(request, context) }
            answer = desk.answer(request, on: number)
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

    /// Throws the reason why a request did not become a WebSocket; always throws. A refused client is told that first, and a wrong request
    /// second.
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
        for (name, value) in HTTPAnswer.precautions where headers[name].isEmpty { headers.add(name: name, value: value) }
        if answer.status != .notModified { headers.add(name: "Content-Length", value: "\(answer.body.count)") }
        if headers["Connection"].isEmpty { headers.add(name: "Connection", value: isKept ? "keep-alive" : "close") }
        let head = HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers)
        let isSent: EventLoopFuture<Void>
        switch answer.body {
        case .bytes(let bytes) where request.method != .HEAD && bytes.readableBytes > 0:
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            isSent = context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(bytes))))
        case .part(let file, let range) where request.method != .HEAD:
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            isSent = send(range, of: file, context)
        case .bytes, .part: isSent = context.writeAndFlush(wrapOutboundOut(.head(head)))
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        // Only the answer's end has the pipeline hand over the next request.
        isSent.flatMap { () -> EventLoopFuture<Void> in
            let (connection, context) = bound.value
            connection.isAnswering = false
            connection.limit.reset()
            connection.close(context, after: Self.patience)
            return context.writeAndFlush(connection.wrapOutboundOut(.end(nil)))
        }.whenComplete { result in
            let (connection, context) = bound.value
            // The next request may be there already.
            let isOver = connection.isInputClosed && !connection.isAnswering
            guard case .success = result, isKept, !isOver else { return context.close(promise: nil) }
        }
    }

    /// Sends the range piece by piece: the next is read when the kernel has taken the one before.
    private func send(_ range: Range<Int>, of file: PageFile, _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        let isSent = context.eventLoop.makePromise(of: Void.self)
        sendNext(of: range, of: file, context, isSent)
        return isSent.futureResult
    }

    private func sendNext(of range: Range<Int>, of file: PageFile, _ context: ChannelHandlerContext, _ isSent: EventLoopPromise<Void>) {
        let piece = range.prefix(PageFile.piece)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        desk.bytes(piece, of: file, on: number).flatMap { bytes -> EventLoopFuture<Void> in
            let (connection, context) = bound.value
            return context.writeAndFlush(connection.wrapOutboundOut(.body(.byteBuffer(bytes))))
        }.whenComplete { result in
            let (connection, context) = bound.value
            let rest = piece.upperBound..<range.upperBound
            switch result {
            case .success where !rest.isEmpty:
                connection.close(context, after: Self.answerPatience)
                connection.sendNext(of: rest, of: file, context, isSent)
            case .success: isSent.succeed()
            case .failure(let error): isSent.fail(error)
            }
        }
    }
}

/// Closes a connection that sends more than 16,384 bytes for one request: the parser's own limits are wider.
final class ByteLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let most = 16_384
    private var left = most

    /// Counts from 0 again, for the next request.
    func reset() { left = Self.most }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        left -= unwrapInboundIn(data).readableBytes
        if left >= 0 { context.fireChannelRead(data) } else { context.close(promise: nil) }
    }
}

/// The connections that speak HTTP. When one more comes than there is room for, the one that asked longest ago is closed: an idle
/// connection keeps nobody out. Thread: its event loop.
final class PendingConnections {
    private let limit: Int
    /// The connections; the one that asked longest ago comes first.
    private var channels: [any Channel] = []
    private var numbered = 0

    private init(limit: Int) { self.limit = limit }

    static func open(limit: Int, on loop: any EventLoop) async throws -> NIOLoopBound<PendingConnections> {
        try await loop.submit { NIOLoopBound(PendingConnections(limit: limit), eventLoop: loop) }.get()
    }

    func add(_ channel: any Channel) {
        channels.append(channel)
        if channels.count > limit { channels.removeFirst().close(promise: nil) }
    }

    /// Notes that a connection has asked for something.
    func heard(_ channel: any Channel) {
        remove(channel)
        channels.append(channel)
    }

    /// The number of the next connection.
    func number() -> Int {
        numbered += 1
        return numbered
    }

    /// The bytes of answers that the kernel has not taken yet.
    var unsentBytes: Int {
        channels.reduce(0) { sum, channel in sum + ((try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0) }
    }

    func remove(_ channel: any Channel) { channels.removeAll { $0 === channel } }
}
