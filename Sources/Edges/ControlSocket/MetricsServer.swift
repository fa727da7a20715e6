import Fields
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import Wire

/// Tells whoever asks over HTTP how the engine is: `/metrics` for Prometheus, `/healthz` for health checks. One question a connection;
/// nothing can be changed by it.
public final class MetricsServer: Listener {
    /// Connections at once; with one more the oldest is closed.
    private static let limit = 16

    private let channel: any Channel

    private init(_ channel: any Channel) { self.channel = channel }

    /// Listens on `address` and `port`, 0 for any that is free. `report` is called on `loop`. Throws `ControlSocketError`.
    public static func listen(address: String = "127.0.0.1", port: Int, loop: any EventLoop,
                              report: @escaping @Sendable () -> StatusReport) async throws -> MetricsServer {
        let pending = try await PendingConnections.open(limit: limit, on: loop)
        do {
            let channel = try await ServerBootstrap(group: loop)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler(shouldForwardIOErrorCaught: false))
                    }
                }
                .childChannelOption(.maxMessagesPerRead, value: 1)
                // A client that has said all it has to say still gets its answer.
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(Admission(pending.value))
                        try channel.pipeline.syncOperations.addHandler(ByteLimit())
                        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withPipeliningAssistance: false)
                        try channel.pipeline.syncOperations.addHandler(MetricsHandler(report))
                    }
                }
                .bind(host: address, port: port).get()
            return MetricsServer(channel)
        } catch let error as IOError {
            throw ControlSocketError.refused("\(address):\(port)", errno: error.errnoCode)
        } catch is SocketAddressError {
            throw ControlSocketError.refused("\(address):\(port)", errno: EADDRNOTAVAIL)
        }
    }

    public var port: Int { channel.localAddress?.port ?? 0 }

    public var isOpen: Bool { channel.isActive }

    public func close() async { try? await channel.close() }
}

/// Closes a connection on which more comes than a question has, whatever it is: the parser's own limits are in megabytes.
private final class ByteLimit: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private var left = 16_384

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        left -= unwrapInboundIn(data).readableBytes
        if left >= 0 { context.fireChannelRead(data) } else { context.close(promise: nil) }
    }
}

/// One connection. Thread: its event loop.
private final class MetricsHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let report: @Sendable () -> StatusReport
    private var question: HTTPRequestHead?
    private var isAnswered = false

    init(_ report: @escaping @Sendable () -> StatusReport) { self.report = report }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isAnswered else { return }
        switch unwrapInboundIn(data) {
        case .head(let head): question = head
        case .body: break
        case .end:
            guard let question else { return }
            isAnswered = true
            answer(question, context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func answer(_ question: HTTPRequestHead, _ context: ChannelHandlerContext) {
        let isLocal = context.remoteAddress?.isLoopback == true
        let answer = HostCheck.fault(of: question, isLocal: isLocal).map(Answer.init) ?? Answer(to: question, report)
        let body = context.channel.allocator.buffer(string: answer.text)
        var headers: HTTPHeaders = [
            "Content-Length": "\(body.readableBytes)", "Content-Type": answer.type, "Cache-Control": "no-store", "Connection": "close",
        ]
        if answer.status == .methodNotAllowed { headers.add(name: "Allow", value: "GET, HEAD") }
        context.write(wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: answer.status, headers: headers))), promise: nil)
        if question.method != .HEAD { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in channel.close(promise: nil) }
    }
}

/// What is said to a question.
private struct Answer {
    var status = HTTPResponseStatus.ok
    var text: String
    var type = "text/plain; charset=utf-8"

    init(_ fault: HostCheck.Fault) {
        status = fault.status
        text = fault.reason + "\n"
    }

    init(to question: HTTPRequestHead, _ report: () -> StatusReport) {
        let path = question.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first
        guard question.method == .GET || question.method == .HEAD else {
            (status, text) = (.methodNotAllowed, "ask with GET or HEAD\n")
            return
        }
        switch path {
        case "/metrics":
            text = report().metrics
            type = "text/plain; version=0.0.4; charset=utf-8"
        case "/healthz":
            let issues = report().issues.map { $0.split(whereSeparator: \.isNewline).joined(separator: " ") }
            if !issues.isEmpty { status = .serviceUnavailable }
            text = issues.isEmpty ? "ok\n" : issues.map { $0 + "\n" }.joined()
        default: (status, text) = (.notFound, "here are /metrics and /healthz\n")
        }
    }
}
