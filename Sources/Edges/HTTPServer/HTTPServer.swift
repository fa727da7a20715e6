import FoundationEssentials
import Glibc
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOWebSocket
import Wire

/// Serves pages, their WebSockets, metrics and health, all at one address. It has an event loop of its own, so that no page and no disk
/// delays touch. Thread: any.
public final class HTTPServer: Sendable {
    /// The settings of the server.
    public struct Settings: Sendable {
        public var address: String
        /// The TCP port; 0 for any free one.
        public var port: Int
        public var access: HTTPAccess
        /// The folder of pages; nil where there is none.
        public var pages: Pages?
        /// The files that all pages may use, at `/kit/`; nil where there are none.
        public var kit: Pages?
        /// The documentation, at `/docs/`; nil where there is none.
        public var docs: Pages?
        /// The recorded sessions, at `/sessions/`; nil where there are none.
        public var recordings: (any Recordings)?
        /// The folder whose page is shown at `/`.
        public var page: String?
        /// Makes the file of `/support` for an operator with this identity. Returns the descriptor of a complete file, which the server
        /// closes. It is called on a thread of its own, and may take most of a minute. Nil where there is no such file.
        public var support: (@Sendable (Identity) throws -> CInt)?
        /// The largest number of bytes in a frame of a WebSocket.
        public var longestFrame: Int

        public init(address: String, port: Int, access: HTTPAccess, pages: Pages?, kit: Pages? = nil, docs: Pages? = nil,
                    recordings: (any Recordings)? = nil, page: String? = nil, support: (@Sendable (Identity) throws -> CInt)? = nil,
                    longestFrame: Int) {
            self.address = address
            self.port = port
            self.access = access
            self.pages = pages
            self.kit = kit
            self.docs = docs
            self.recordings = recordings
            self.page = page
            self.support = support
            self.longestFrame = longestFrame
        }
    }

    /// The reason why the server cannot listen at its address.
    public struct CannotListen: Error, Equatable, CustomStringConvertible {
        public var description: String
    }

    /// The largest number of connections that are not WebSockets.
    static let pendingLimit = 64
    /// The largest number of unsent bytes of answers in memory, of all connections together: a piece with its header for each.
    static let mostUnsent = pendingLimit * (PageFile.piece + 4_096)
    /// The number of bytes that are read at a time. It is small because clients may send many frames that are almost empty, and each frame
    /// costs much more than its bytes.
    private static let readSize = 4_096
    /// The number of bytes of a client's input that the kernel may buffer. If the client goes, the server still reads all of them at once,
    /// so there must not be many.
    private static let receiveBuffer = 65_536

    private let channel: any Channel
    private let pending: NIOLoopBound<PendingConnections>

    private init(_ channel: any Channel, _ pending: NIOLoopBound<PendingConnections>) {
        self.channel = channel
        self.pending = pending
    }

    /// Listens on one event loop. Calls `open` there with each admitted WebSocket, `report` whenever a report is needed, and `rejected` for
    /// each request that was refused because its sender is not admitted. Throws `CannotListen`.
    public static func listen(_ settings: Settings, on loop: any EventLoop,
                              report: @escaping @Sendable () -> EventLoopFuture<StatusReport>,
                              rejected: @escaping @Sendable (HTTPRejection) -> Void,
                              open: @escaping @Sendable (any Channel, WayIn, _ isLocal: Bool, Identity) throws -> Void)
        async throws -> HTTPServer {
        let pending = try await PendingConnections.open(limit: pendingLimit, on: loop)
        let desk = try await loop.submit {
            NIOLoopBound(HTTPDesk(pages: settings.pages, kit: settings.kit, docs: settings.docs, recordings: settings.recordings,
                                  page: settings.page, support: settings.support, on: loop, report: report), eventLoop: loop)
        }.get()
        let endpoint = "\(settings.address):\(settings.port)"
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
                // A client that has closed its sending side still gets its answer.
                .childChannelOption(.allowRemoteHalfClosure, value: true)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try greet(channel, settings, desk.value, pending.value, rejected, open) }
                }
                .bind(host: settings.address, port: settings.port).get()
            return HTTPServer(channel, pending)
        } catch let error as IOError {
            throw CannotListen(description: "\(endpoint): \(String(cString: strerror(error.errnoCode)))")
        } catch is SocketAddressError {
            throw CannotListen(description: "\(endpoint): \(String(cString: strerror(EADDRNOTAVAIL)))")
        }
    }

    public var port: Int { channel.localAddress?.port ?? 0 }

    public var isOpen: Bool { channel.isActive }

    /// Returns the number of bytes of answers in memory that the kernel has not taken yet.
    func unsentBytes() async throws -> Int { try await channel.eventLoop.submit { [pending] in pending.value.unsentBytes }.get() }

    public func close() async { try? await channel.close() }

    /// Sets up a connection. It speaks HTTP until it asks for a WebSocket and is admitted.
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
                    // The token may have been revoked since the request was admitted.
                    guard let admission = try? admission(request, channel) else { return channel.close(promise: nil) }
                    try channel.syncOptions?.setOption(.allowRemoteHalfClosure, value: false)
                    try open(channel, admission.wayIn, access.isLocal(request, from: channel.remoteAddress), admission.identity)
                    if case .grant(let grant) = admission { access.grants.hold(channel, by: grant) }
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

/// The rules for a request that opens a WebSocket (RFC 6455, section 4.2.1).
enum WebSocketHandshake {
    /// The subprotocol that a client may name (section 1.9).
    static let subprotocol = "thrum"

    static func check(_ request: HTTPRequestHead) throws(HTTPRefusal) {
        guard request.method == .GET else {
            throw HTTPRefusal(.methodNotAllowed, "expected the method GET, found \(request.method.rawValue)",
                              headers: ["Allow": "GET"])
        }
        guard (request.version.major, request.version.minor) >= (1, 1) else {
            throw HTTPRefusal(.badRequest, "expected HTTP/1.1, found \(request.version.major).\(request.version.minor)")
        }
        guard request.headers[canonicalForm: "Upgrade"].contains(where: { $0.lowercased() == "websocket" }) else {
            throw HTTPRefusal(.upgradeRequired, "expected a WebSocket here",
                              headers: ["Upgrade": "websocket", "Connection": "Upgrade"])
        }
        guard request.headers["Sec-WebSocket-Version"] == ["13"] else {
            throw HTTPRefusal(.upgradeRequired, "expected Sec-WebSocket-Version 13",
                              headers: ["Sec-WebSocket-Version": "13"])
        }
        let keys = request.headers["Sec-WebSocket-Key"]
        guard keys.count == 1, Data(base64Encoded: keys[0])?.count == 16 else {
            throw HTTPRefusal(.badRequest, "expected one Sec-WebSocket-Key, 16 bytes in base64")
        }
        guard request.headers[canonicalForm: "Connection"].contains(where: { $0.lowercased() == "upgrade" }) else {
            throw HTTPRefusal(.badRequest, "expected \"Connection: Upgrade\" beside the Upgrade")
        }
    }

    /// Returns the headers of the answer. If a browser names subprotocols, the answer must have one of them.
    static func headers(for request: HTTPRequestHead) -> HTTPHeaders {
        let wanted = request.headers[canonicalForm: "Sec-WebSocket-Protocol"]
        return wanted.contains { $0 == subprotocol } ? ["Sec-WebSocket-Protocol": subprotocol] : [:]
    }
}
