import NIOCore
import Wire

/// One client's connection: bytes to requests, answers to bytes. Thread: its event loop.
final class ClientHandler<Service: ControlService>: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let service: Service
    private let clients: ClientList
    /// Nil for one that may not even look on.
    private var role: Role?
    /// Why it may not do everything.
    private var restriction = "this client may only watch"
    private var client: Int?
    private var framer: LineFramer
    private var allowance: Allowance
    /// Lines that wait until answers can go again.
    private var backlog: [LineFramer.Line] = []
    /// Nothing more will be read.
    private var isInputClosed = false
    /// Answers to what was read are flushed together; what comes later, when the loop has done what it is doing.
    private var isReading = false
    private var willFlush = false
    private var isAdmitted = false
    private var isTurnedAway = false
    private var hasLeft = false
    /// Requests whose answer is still to come.
    private var unanswered = 0
    private let silence = Silence()

    init(_ service: Service, _ clients: ClientList, _ limits: Limits, as role: Role?) {
        self.service = service
        self.clients = clients
        self.role = role
        framer = LineFramer(limit: limits.line)
        allowance = Allowance(rate: limits.rate)
    }

    /// A connection that has been something else before is active already.
    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { admit(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        admit(context)
        context.fireChannelActive()
    }

    private func admit(_ context: ChannelHandlerContext) {
        guard var role else { return turnAway("this user is not among users or watchers of the settings", context) }
        var number = clients.admit()
        if number == nil {
            restriction = "\(clients.limit) clients are connected already: this one may only watch, and stop"
            role = .watch
            self.role = role
            number = clients.admitWatcher()
        }
        guard let client = number else { return turnAway("\(clients.limit) clients are connected already", context) }
        self.client = client
        isAdmitted = true
        let channel = context.channel
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        service.connected(client, as: role) { line in
            guard channel.isWritable else { return false }
            channel.write(channel.allocator.buffer(bytes: line), promise: nil)
            handler.value.flushSoon(channel)
            return true
        }
    }

    /// Says why. What it has sent is read and forgotten for a while: a connection that is closed over it takes the reason along.
    private func turnAway(_ reason: String, _ context: ChannelHandlerContext) {
        isTurnedAway = true
        send(Reply.line(error: ErrorReply(.refused, reason)), context)
        context.flush()
        context.close(mode: .output, promise: nil)
        let channel = context.channel
        context.eventLoop.scheduleTask(in: .seconds(1)) { channel.close(promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        silence.end()
        leave()
        if isAdmitted { clients.leave() }
        isAdmitted = false
        context.fireChannelInactive()
    }

    /// Its sending side is closed: it holds nothing any more, and goes when it has its answers.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case ChannelEvent.inputClosed? = event as? ChannelEvent {
            isInputClosed = true
            work(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    private func leave() {
        if let client { service.disconnected(client) }
        client = nil
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isTurnedAway else { return }
        isReading = true
        backlog += framer.append(unwrapInboundIn(data).readableBytesView)
        work(context)
    }

    /// Does what was asked for, as long as the answers can go: a client that does not read them is not worked for.
    private func work(_ context: ChannelHandlerContext) {
        var done = 0
        // A client that is gone reports nothing any more: nobody would let go of what it held.
        while let client, done < backlog.count, context.channel.isWritable {
            let line = backlog[done]
            done += 1
            silence.isBroken()
            switch line {
            case .oversized:
                send(Reply.line(error: ErrorReply(.invalidRequest, "a line has at most \(framer.limit) bytes")), context)
            case .complete(let bytes) where bytes.allSatisfy({ $0 == UInt8(ascii: " ") }):
                break
            case .complete(let bytes):
                switch Incoming<Call>(bytes) {
                case .single(let request): act(on: [request], of: client, context) { $0[0] }
                case .batch(let requests): act(on: requests, of: client, context, joined: Reply.batch)
                }
            }
        }
        backlog.removeFirst(done)
        guard isInputClosed, backlog.isEmpty, !hasLeft else { return }
        leave()
        hasLeft = true
        closeIfDone(context.channel)
    }

    /// Acts on all of `requests`; when each that wants an answer has it, the answers, `joined` to one line, are sent.
    private func act(on requests: [Result<UnreadRequest<Call>, ErrorReply>], of client: Int, _ context: ChannelHandlerContext,
                     joined: @escaping @Sendable ([[UInt8]]) -> [UInt8]) {
        let channel = context.channel
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let answers = Answers(wanted: requests.count { $0.wantsAnswer }) { answers in
            handler.value.unanswered -= 1
            channel.write(channel.allocator.buffer(bytes: joined(answers)), promise: nil)
            handler.value.flushSoon(channel)
        }
        if answers.wanted > 0 { unanswered += 1 }
        for request in requests {
            do throws(ErrorReply) {
                let request = try admit(request)
                if case .ping(let patience?) = request.call {
                    silence.watch(for: .milliseconds(Int64(patience)), on: context.eventLoop) {
                        // It hangs: what it holds is let go of, and when it wakes up it finds the connection closed.
                        handler.value.leave()
                        channel.close(promise: nil)
                    }
                }
                service.answer(request, from: client) { answers.add($0) }
            } catch {
                answers.add(Reply.line(error: error))
            }
        }
    }

    /// The whole request, if it may be made. Its parameters are only read when it can.
    private func admit(_ request: Result<UnreadRequest<Call>, ErrorReply>) throws(ErrorReply) -> Request<Call> {
        if case .success(let unread) = request, role?.admits(method: unread.method) != true {
            throw ErrorReply(.refused, restriction, id: unread.id)
        }
        let isWithinRate = allowance.take()
        let unread: UnreadRequest<Call>
        do {
            unread = try request.get()
        } catch {
            throw isWithinRate ? error : refusalByRate.answering(error.id)
        }
        guard isWithinRate || Call.canLetGo(method: unread.method) else { throw refusalByRate.answering(unread.id) }
        let request = try unread.read().get()
        guard isWithinRate || request.call.letsGo else { throw refusalByRate.answering(unread.id) }
        return request
    }

    private var refusalByRate: ErrorReply { ErrorReply(.refused, "more than \(allowance.rate) requests a second (max-rate)") }

    /// A flush can find that the client has gone, and tell the service at once: never in the middle of what the service is doing.
    private func flushSoon(_ channel: any Channel) {
        guard !isReading, !willFlush else { return }
        willFlush = true
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.execute {
            handler.value.willFlush = false
            channel.flush()
            handler.value.closeIfDone(channel)
        }
    }

    /// A client that has left goes when it has all its answers.
    private func closeIfDone(_ channel: any Channel) {
        guard hasLeft, unanswered == 0 else { return }
        // It is told when all before it is gone.
        channel.writeAndFlush(channel.allocator.buffer(capacity: 0)).whenComplete { _ in channel.close(promise: nil) }
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        isReading = false
        context.flush()
        context.fireChannelReadComplete()
    }

    /// A client that does not read its answers is not listened to until it does: they cannot pile up.
    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable {
            work(context)
            flushSoon(context.channel)
        }
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
