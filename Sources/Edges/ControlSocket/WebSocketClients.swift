import NIOCore
import NIOWebSocket
import Wire

/// Clients that come by WebSocket, one message a request. Whoever has opened the WebSockets hands them over.
public struct WebSocketClients: Sendable {
    private let service: any ControlService
    private let clients: ClientList
    private let limits: Limits

    /// `clients` are counted with those of other ways in.
    public init(_ service: any ControlService, _ clients: ClientList, _ limits: Limits) {
        self.service = service
        self.clients = clients
        self.limits = limits
    }

    /// Makes a client of a channel from which WebSocket frames come. Call it on the channel's event loop, which is that of `clients`.
    /// `wayIn` says what it may do. `isLocal`: whoever opened it is on this machine; `identity`: who that is. Throws what NIO says of a
    /// channel that is closed.
    public func add(_ channel: any Channel, as wayIn: WayIn, isLocal: Bool, identity: Identity) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(FrameCheck())
        // A message in pieces counts as one.
        try pipeline.addHandler(NIOWebSocketFrameAggregator(
            minNonFinalFragmentSize: 1, maxAccumulatedFrameCount: 1024, maxAccumulatedFrameSize: limits.line))
        try pipeline.addHandler(WebSocketLines())
        try pipeline.addHandler(ClientHandler(service, clients, limits, as: wayIn, isLocal: isLocal, identity: identity))
        try channel.syncOptions?.setOption(.writeBufferWaterMark, value: Outbox.waterMark)
    }
}
