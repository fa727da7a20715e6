import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Wire

/// Pages, the WebSocket that they speak through, metrics and health, all at one address. It has an event loop of its own, so that no page
/// and no disk holds up what is touched. Thread: any.
public final class HTTPServer: Sendable {
    /// What it is told.
    public struct Settings: Sendable {
        public var address: String
        /// 0 for any that is free.
        public var port: Int
        public var access: HTTPAccess
        /// Nil where there is none.
        public var pages: Pages?
        /// What pages share, at `/kit/`. Nil where there is none.
        public var kit: Pages?
        /// The documentation as pages, at `/docs/`. Nil where there is none.
        public var docs: Pages?
        /// The folder of the page that is meant when none is named.
        public var page: String?
        /// Of a WebSocket's frame, in bytes.
        public var longestFrame: Int

        public init(address: String, port: Int, access: HTTPAccess, pages: Pages?, kit: Pages? = nil, docs: Pages? = nil,
                    page: String? = nil, longestFrame: Int) {
            self.address = address
            self.port = port
            self.access = access
            self.pages = pages
            self.kit = kit
            self.docs = docs
            self.page = page
            self.longestFrame = longestFrame
        }
    }

    /// The address cannot be listened at.
    public struct CannotListen: Error, Equatable, CustomStringConvertible {
        public var description: String
    }

    /// Connections at once that are no WebSockets.
    static let pendingLimit = 64
    /// Bytes of answers that may be in memory and unsent, of all connections: a piece each, with the lines before it.
    static let mostUnsent = pendingLimit * (PageFile.piece + 4_096)
    /// Bytes that are read at a time: frames that are almost empty are dear, and many connections may have some.
    private static let readSize = 4_096
    /// Bytes that the kernel keeps of what a client sends. Of one that is gone they are read at once.
    private static let receiveBuffer = 65_536

    private let channel: any Channel
    private let pending: NIOLoopBound<PendingConnections>

    private init(_ channel: any Channel, _ pending: NIOLoopBound<PendingConnections>) {
        self.channel = channel
        self.pending = pending
    }

    /// Listens on one event loop. Whoever may is handed to `open` with its WebSocket, on the loop. `report` may be called there at any
    /// time, and `rejected` is told there of each request that is refused because of who asks. Throws `CannotListen`.
    public static func listen(_ settings: Settings, on loop: any EventLoop,
                              report: @escaping @Sendable () -> EventLoopFuture<StatusReport>,
                              rejected: @escaping @Sendable (HTTPRejection) -> Void,
                              open: @escaping @Sendable (any Channel, WayIn, _ isLocal: Bool, Identity) throws -> Void)
        async throws -> HTTPServer {
        let pending = try await PendingConnections.open(limit: pendingLimit, on: loop)
        let desk = try await loop.submit {
            NIOLoopBound(HTTPDesk(pages: settings.pages, kit: settings.kit, docs: settings.docs, page: settings.page, on: loop,
                                  report: report), eventLoop: loop)
        }.get()
        let place = "\(settings.address):\(settings.port)"
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
                // A client that has said all it has to say still gets its answer.
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try greet(channel, settings, desk.value, pending.value, rejected, open) }
                }
                .bind(host: settings.address, port: settings.port).get()
            return HTTPServer(channel, pending)
        } catch let error as IOError {
            throw CannotListen(description: "\(place): \(String(cString: strerror(error.errnoCode)))")
        } catch is SocketAddressError {
            throw CannotListen(description: "\(place): \(String(cString: strerror(EADDRNOTAVAIL)))")
        }
    }

    public var port: Int { channel.localAddress?.port ?? 0 }

    public var isOpen: Bool { channel.isActive }

    /// Bytes of answers that are in memory because the kernel has not taken them yet.
    func unsentBytes() async throws -> Int { try await channel.eventLoop.submit { [pending] in pending.value.unsentBytes }.get() }

    public func close() async { try? await channel.close() }

    /// Speaks HTTP until somebody who may asks for a WebSocket.
    private static func greet(_ channel: any Channel, _ settings: Settings, _ desk: HTTPDesk, _ pending: PendingConnections,
                              _ rejected: @escaping @Sendable (HTTPRejection) -> Void,
                              _ open: @escaping @Sendable (any Channel, WayIn, _ isLocal: Bool, Identity) throws -> Void) throws {
        let access = settings.access
        let limit = ByteLimit()
        let connection = HTTPConnection(access, desk, pending, limit, rejected: rejected)
        @Sendable func admission(_ request: HTTPRequestHead, _ channel: any Channel) throws(HTTPRefusal) -> HTTPAccess.Admission? {
            guard HTTPDesk.isSocket(request) else { return nil }
            try access.check(request, at: channel.localAddress)
            let admission = try access.admission(of: request, from: channel.remoteAddress)
            try WebSocketHandshake.check(request)
            return admission
        }
        let upgrader = NIOWebSocketServerUpgrader(
            maxFrameSize: settings.longestFrame,
            shouldUpgrade: { channel, request in
                let isAdmitted = (try? admission(request, channel)) != nil
                return channel.eventLoop.makeSucceededFuture(isAdmitted ? WebSocketHandshake.headers(for: request) : nil)
            },
            upgradePipelineHandler: { channel, request in
                channel.eventLoop.makeCompletedFuture {
                    // Its token may have been revoked just now.
                    guard let admission = try? admission(request, channel) else { return channel.close(promise: nil) }
                    try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
                    try open(channel, admission.wayIn, access.isLocal(request, from: channel.remoteAddress), admission.identity)
                    if case .pass(let pass) = admission { access.passes.hold(channel, by: pass) }
                }
            })
        let greeters = NIOLoopBound([limit, connection] as [any RemovableChannelHandler], eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandler(limit)
        try channel.pipeline.syncOperations.configureHTTPServerPipeline(withServerUpgrade: (
            upgraders: [upgrader],
            completionHandler: { context in
                for greeter in greeters.value { context.pipeline.syncOperations.removeHandler(greeter, promise: nil) }
            }))
        try channel.pipeline.syncOperations.addHandler(connection)
    }
}
