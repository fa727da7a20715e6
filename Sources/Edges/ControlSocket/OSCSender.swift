import Fields
import NIOCore
import NIOPosix
import Wire

/// Sends events to a program that receives Open Sound Control: it subscribes as a client, and sends each notification to one address as a
/// datagram. UDP has no acknowledgement, so nobody knows whether the program receives them. Thread: any.
public final class OSCSender: Listener {
    /// The destination of the datagrams, as `HOST:PORT` with an IP address. A broadcast address reaches all machines of a network.
    public struct Destination: Hashable, Sendable {
        public let text: String
        let address: SocketAddress

        /// Reads `HOST:PORT`, where HOST is an IP address, an IPv6 address in brackets. Returns nil for text of another form.
        public init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let port = Int(text[text.index(after: colon)...]), (1...65_535).contains(port) else {
                return nil
            }
            var host = String(text[..<colon])
            if host.hasPrefix("["), host.hasSuffix("]") {
                host = String(host.dropFirst().dropLast())
            } else if host.contains(":") {
                return nil
            }
            guard let address = try? SocketAddress(ipAddress: host, port: port) else { return nil }
            (self.text, self.address) = (text, address)
        }
    }

    private let channel: any Channel

    private init(_ channel: any Channel) { self.channel = channel }

    /// Sends the notifications of `topics` to `destination` from now on, as far as a client with the role of a player may receive them. An
    /// empty list stands for all topics but those with many notifications a second. The sender takes one of the operators' slots in
    /// `clients`, because visitors cannot take that one away. Throws `ControlSocketError`.
    public static func open(to destination: Destination, topics: [String], loop: any EventLoop, service: any ControlService,
                            clients: ClientList) async throws -> OSCSender {
        do {
            let bootstrap = DatagramBootstrap(group: loop)
                .channelOption(.socketOption(.so_broadcast), value: 1)
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        let handler = OSCSendingHandler(destination, topics, service, clients)
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
            let isIPv6 = destination.address.protocol == .inet6
            return OSCSender(try await bootstrap.bind(host: isIPv6 ? "::" : "0.0.0.0", port: 0).get())
        } catch let error as IOError {
            throw ControlSocketError.refused("OSC to \(destination.text)", errno: error.errnoCode)
        }
    }

    public var isOpen: Bool { channel.isActive }

    public func close() async { try? await channel.close() }
}

/// The channel handler that sends the datagrams. Thread: its event loop.
private final class OSCSendingHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let destination: OSCSender.Destination
    private let topics: [String]
    private let service: any ControlService
    private let clients: ClientList
    private var slot: ClientList.Slot?
    private var willFlush = false

    init(_ destination: OSCSender.Destination, _ topics: [String], _ service: any ControlService, _ clients: ClientList) {
        (self.destination, self.topics, self.service, self.clients) = (destination, topics, service, clients)
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let slot = clients.admit(.operators) else { return context.close(promise: nil) }
        self.slot = slot
        let (channel, handler) = (context.channel, NIOLoopBound(self, eventLoop: context.eventLoop))
        service.connected(slot.client, as: WayIn.osc.role, isLocal: false, identity: .unknown) { line in
            handler.value.send(line, channel)
        }
        ask("hello", ["client": .text("OSC to \(destination.text)")])
        ask("subscribe", topics.isEmpty ? [:] : ["topics": .list(topics.map { .text($0) })])
        context.fireChannelActive()
    }

    /// Sends the service a request, as any other client does, without asking for an answer.
    private func ask(_ method: String, _ parameters: [String: JSONValue]) {
        let call = JSONValue.object(["jsonrpc": .text("2.0"), "method": .text(method), "params": .object(parameters)])
        guard let slot, case .single(.success(let unread)) = Incoming(Array(call.written.utf8), service.methods),
              case .success(let request) = unread.read() else { preconditionFailure("the engine has \(method)") }
        service.answer(request, from: slot.client) { _ in }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let slot {
            service.disconnected(slot.client)
            service.closed(slot.client)
            clients.leave(slot)
        }
        slot = nil
        context.fireChannelInactive()
    }

    private func send(_ line: [UInt8], _ channel: any Channel) -> Bool {
        guard channel.isActive, channel.isWritable else { return false }
        guard let packet = OSCPacket(notification: line) else { return true }
        // A notification that is too large for a datagram is lost.
        channel.write(AddressedEnvelope(remoteAddress: destination.address, data: channel.allocator.buffer(bytes: packet.bytes)),
                      promise: nil)
        guard !willFlush else { return true }
        willFlush = true
        // The flush waits until the service has finished what it is doing.
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.execute {
            handler.value.willFlush = false
            channel.flush()
        }
        return true
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Datagrams that come back are ignored.
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Errors are ignored: a receiver that is away now may come back.
    }
}
