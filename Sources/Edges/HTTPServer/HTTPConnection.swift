import Files
import NIOCore
import NIOHTTP1
import Wire

/// A connection over HTTP: reads a request, sends its answer, reads the next, until the connection ends or becomes a WebSocket. The next
/// request waits until the kernel has taken the whole answer. At most one piece of an answer is in memory. Thread: its event loop.
final class HTTPConnection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// The time within which a request must have arrived completely.
    private static var timeout: TimeAmount { .seconds(10) }
    /// The time within which the client must accept the next piece of its answer.
    private static var answerTimeout: TimeAmount { .seconds(60) }

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
        // A recording may take long to begin, and until it is sent nothing else shows that nobody waits for it any more.
        limit.whenInputClosed = { [desk, number, channel = context.channel] in
            if desk.sendsRecording(on: number) { channel.close(promise: nil) }
        }
        close(context, after: Self.timeout)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timer?.cancel()
        limit.whenInputClosed = nil
        pending.remove(context.channel)
        desk.forget(number)
    }

    private func close(_ context: ChannelHandlerContext, after timeout: TimeAmount) {
        timer?.cancel()
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: timeout) { channel.close(promise: nil) }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head): request = head
        // No request here needs a body; it is ignored, and `ByteLimit` bounds it.
        case .body: break
        case .end:
            guard let request else { return }
            self.request = nil
            isAnswering = true
            pending.heard(context.channel)
            close(context, after: Self.answerTimeout)
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
            answer = if SupportDesk.isWanted(by: request) {
                try desk.support.answer(request, of: admission(toSupport: request, context), on: number)
            } else {
                try desk.answer(request, on: number) { (wanted, lends) throws(HTTPRefusal) in
                    try admit(request, for: wanted, lends: lends, context)
                }
            }
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

    /// Throws the refusal where the sender of `request` may not do what is `wanted`. Returns nil, or where `lends` is true and the request
    /// has a token, a cookie that stands for the token's rights for an hour. A request with such a cookie gets no new one, so that no loan
    /// renews itself.
    private func admit(_ request: HTTPRequestHead, for wanted: Access, lends: Bool,
                       _ context: ChannelHandlerContext) throws(HTTPRefusal) -> String? {
        let admission: HTTPAccess.Admission
        do throws(HTTPRefusal) {
            admission = try access.admission(of: request, for: wanted, from: context.remoteAddress, at: context.localAddress)
        } catch {
            access.noteRefused(request, error, from: context.remoteAddress)
            throw error
        }
        let role = admission.wayIn.role
        guard role.admits(wanted) else { throw HTTPRefusal(.forbidden, role.restriction) }
        try hold(context.channel, by: admission, of: request)
        guard case .grant(let grant) = admission, lends else { return nil }
        return access.cookie(lending: grant, at: context.localAddress)
    }

    /// Returns why a request for the support file is admitted. Throws the refusal where it is not.
    private func admission(toSupport request: HTTPRequestHead,
                           _ context: ChannelHandlerContext) throws(HTTPRefusal) -> HTTPAccess.Admission {
        let admission = try admission(of: request, context)
        try hold(context.channel, by: admission, of: request)
        return admission
    }

    /// Has the connection closed when the token or code that admits `request`, itself or through a loan, becomes invalid. Throws 403 for a
    /// request without a token that a page of another site has caused.
    private func hold(_ channel: any Channel, by admission: HTTPAccess.Admission, of request: HTTPRequestHead) throws(HTTPRefusal) {
        switch admission {
        case .grant(let grant): access.grants.hold(channel, by: grant)
        case .lent(let grant):
            try HTTPAccess.checkSite(of: request)
            access.grants.hold(channel, by: grant)
        case .local: try HTTPAccess.checkSite(of: request)
        }
    }

    /// Always throws, with the reason why the request could not become a WebSocket. That its sender is not admitted is reported before
    /// faults of the request.
    private func refuseSocket(_ request: HTTPRequestHead, _ context: ChannelHandlerContext) throws(HTTPRefusal) {
        _ = try admission(of: request, context)
        try WebSocketHandshake.check(request)
        throw HTTPRefusal(.badRequest, "expected the request for a WebSocket to be the first of its connection")
    }

    /// Returns why a request is admitted. Throws the refusal where it is not; a wrong token counts against the address of its sender.
    private func admission(of request: HTTPRequestHead, _ context: ChannelHandlerContext) throws(HTTPRefusal) -> HTTPAccess.Admission {
        do throws(HTTPRefusal) {
            return try access.admission(of: request, from: context.remoteAddress)
        } catch {
            access.noteRefused(request, error, from: context.remoteAddress)
            throw error
        }
    }

    private func write(_ answer: HTTPAnswer, to request: HTTPRequestHead, _ context: ChannelHandlerContext) {
        guard context.channel.isActive else { return }
        // After a refused request there may be more input that was not read.
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
        case .part(let served, let range, let workers) where request.method != .HEAD:
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            isSent = send(range, of: served, by: workers, context)
        case .bytes, .part: isSent = context.writeAndFlush(wrapOutboundOut(.head(head)))
        }
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        // Only after the end of the answer does the pipeline deliver the next request.
        isSent.flatMap { () -> EventLoopFuture<Void> in
            let (connection, context) = bound.value
            connection.isAnswering = false
            connection.desk.answered(connection.number)
            connection.limit.reset()
            connection.close(context, after: Self.timeout)
            return context.writeAndFlush(connection.wrapOutboundOut(.end(nil)))
        }.whenComplete { result in
            let (connection, context) = bound.value
            // The next request may have been delivered already, and be under way.
            let isOver = connection.isInputClosed && !connection.isAnswering
            guard case .success = result, isKept, !isOver else { return context.close(promise: nil) }
        }
    }

    /// Sends the range piece by piece. The next piece is made when the kernel has taken the one before.
    private func send(_ range: Range<Int>, of served: any ServedBytes, by workers: Workers,
                      _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
        let isSent = context.eventLoop.makePromise(of: Void.self)
        sendNext(of: range, of: served, by: workers, context, isSent)
        return isSent.futureResult
    }

    private func sendNext(of range: Range<Int>, of served: any ServedBytes, by workers: Workers, _ context: ChannelHandlerContext,
                          _ isSent: EventLoopPromise<Void>) {
        let piece = range.prefix(PageFile.piece)
        let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
        workers.run(for: number, on: context.eventLoop) { try served.part(piece) }.flatMap { bytes -> EventLoopFuture<Range<Int>> in
            let (connection, context) = bound.value
            // What takes long to make is asked for again; until then the client has nothing to accept.
            guard let bytes else { return context.eventLoop.makeSucceededFuture(range) }
            return context.writeAndFlush(connection.wrapOutboundOut(.body(.byteBuffer(bytes)))).map { piece.upperBound..<range.upperBound }
        }.whenComplete { result in
            let (connection, context) = bound.value
            switch result {
            case .success(let rest) where !rest.isEmpty:
                guard context.channel.isActive else { return isSent.fail(ChannelError.ioOnClosedChannel) }
                connection.close(context, after: Self.answerTimeout)
                connection.pending.heard(context.channel)
                connection.sendNext(of: rest, of: served, by: workers, context, isSent)
            case .success: isSent.succeed()
            case .failure(let error): isSent.fail(error)
            }
        }
    }
}

/// Closes a connection that sends more than 16,384 bytes for one request. The parser's own limits are wider.
final class ByteLimit: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private static let most = 16_384
    private var left = most
    /// Called at once when the client closes its sending side. Handlers behind the parser learn of that only when the answer is over.
    var whenInputClosed: (() -> Void)?

    /// Starts counting from 0 again, for the next request.
    func reset() { left = Self.most }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        left -= unwrapInboundIn(data).readableBytes
        if left >= 0 { context.fireChannelRead(data) } else { context.close(promise: nil) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent { whenInputClosed?() }
        context.fireUserInboundEventTriggered(event)
    }
}

/// The connections that speak HTTP. If there is one too many, the one that was idle longest is closed. So idle connections neither keep
/// anybody out nor end the answer that another client is receiving. Thread: its event loop.
final class PendingConnections {
    private let limit: Int
    /// The connections, in the order of their last requests or the pieces of answers that they have taken since, oldest first.
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

    /// Notes that a connection has sent a request, or has taken a piece of its answer, and so was not idle.
    func heard(_ channel: any Channel) {
        remove(channel)
        channels.append(channel)
    }

    /// Returns a new number, by which the next connection can be told from all others.
    func number() -> Int {
        numbered += 1
        return numbered
    }

    /// The bytes of all answers that the kernel has not taken yet.
    var unsentBytes: Int {
        channels.reduce(0) { sum, channel in sum + ((try? channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0) }
    }

    func remove(_ channel: any Channel) { channels.removeAll { $0 === channel } }
}
