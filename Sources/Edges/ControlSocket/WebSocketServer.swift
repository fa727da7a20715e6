import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Wire

/// The control protocol for browsers: JSON-RPC over WebSockets on the loopback interface, one message a frame.
public final class WebSocketServer: Listener {
    /// Connections that have not yet asked for a WebSocket, at once.
    private static let pendingLimit = 64
    /// Bytes that are read at a time: frames that are almost empty are dear, and many connections may have some.
    private static let readSize = 4_096
    /// Bytes that the kernel keeps of what a client sends. Of one that is gone they are read at once.
    private static let receiveBuffer = 65_536

    private let channel: any Channel

    private init(_ channel: any Channel) { self.channel = channel }

    /// Listens on 127.0.0.1, on one event loop; port 0 is any that is free. `clients` are counted with those of the control socket.
    /// Throws `ControlSocketError`.
    public static func listen(port: Int, access: WebSocketAccess, limits: Limits, loop: any EventLoop,
                              service: some ControlService, clients: ClientList)
        async throws -> WebSocketServer {
        let pending = try await PendingConnections.open(limit: pendingLimit, on: loop)
        do {
            let channel = try await ServerBootstrap(group: loop)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelOption(.socketOption(.so_rcvbuf), value: receiveBuffer)
                .serverChannelOption(.maxMessagesPerRead, value: 4)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
                    }
                }
                .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
                .childChannelOption(.maxMessagesPerRead, value: 1)
                .childChannelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: readSize))
                .childChannelOption(.writeBufferWaterMark, value: Outbox.waterMark)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try Self.greet(channel, access, limits, service, clients, pending.value) }
                }
                .bind(host: "127.0.0.1", port: port).get()
            return WebSocketServer(channel)
        } catch let error as IOError {
            throw ControlSocketError.refused("127.0.0.1:\(port)", errno: error.errnoCode)
        }
    }

    public var port: Int { channel.localAddress?.port ?? 0 }

    public var isOpen: Bool { channel.isActive }

    public func close() async { try? await channel.close() }

    /// Speaks HTTP until somebody who may asks for a WebSocket.
    private static func greet(_ channel: any Channel, _ access: WebSocketAccess, _ limits: Limits, _ service: some ControlService,
                              _ clients: ClientList, _ pending: PendingConnections) throws {
        let admission = Admission(pending)
        let refusal = HTTPRefusal(access)
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: limits.line,
            shouldUpgrade: { channel, request in
                let isAdmitted = (try? WebSocketHandshake.check(request)) != nil && (try? access.role(of: request)) != nil
                return channel.eventLoop.makeSucceededFuture(isAdmitted ? [:] : nil)
            },
            upgradePipelineHandler: { channel, request in
                channel.eventLoop.makeCompletedFuture {
                    let pipeline = channel.pipeline.syncOperations
                    try pipeline.addHandler(FrameCheck())
                    // A message in pieces counts as one.
                    try pipeline.addHandler(NIOWebSocketFrameAggregator(
                        minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 1024, maxAccumulatedFrameSize: limits.line))
                    try pipeline.addHandler(WebSocketLines())
                    try pipeline.addHandler(ClientHandler(service, clients, limits, as: try access.role(of: request)))
                }
            })
        let greeters = NIOLoopBound([admission, refusal] as [any RemovableChannelHandler], eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandler(admission)
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withServerUpgrade: (
            upgraders: [upgrader],
            completionHandler: { context in
                for greeter in greeters.value { context.pipeline.syncOperations.removeHandler(greeter, promise: nil) }
            }))
        try channel.pipeline.syncOperations.addHandler(refusal)
    }
}

/// Answers whoever is not admitted, or wants something else than a WebSocket, in words.
private final class HTTPRefusal: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let access: WebSocketAccess

    init(_ access: WebSocketAccess) { self.access = access }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let request) = unwrapInboundIn(data) else { return }
        let refusal = refusal(of: request)
        let body = context.channel.allocator.buffer(string: refusal.reason + "\n")
        var headers: HTTPHeaders = ["Content-Length": "\(body.readableBytes)", "Content-Type": "text/plain; charset=utf-8"]
        if refusal.headers["Connection"].isEmpty { headers.add(name: "Connection", value: "close") }
        headers.add(contentsOf: refusal.headers)
        let head = HTTPResponseHead(version: .http1_1, status: refusal.status, headers: headers)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }

    /// What is wrong with the request itself comes after who may ask at all.
    private func refusal(of request: HTTPRequestHead) -> WebSocketHandshake.Refusal {
        do throws(WebSocketAccess.Refusal) {
            _ = try access.role(of: request)
        } catch {
            return WebSocketHandshake.Refusal(status: .forbidden, reason: error.reason)
        }
        do throws(WebSocketHandshake.Refusal) {
            try WebSocketHandshake.check(request)
        } catch {
            return error
        }
        return WebSocketHandshake.Refusal(status: .badRequest, reason: "expected \"Connection: Upgrade\" beside the Upgrade")
    }
}
