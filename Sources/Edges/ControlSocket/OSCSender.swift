import Fields
import NIOCore
import NIOPosix
import Wire

/// Tells programs that hear Open Sound Control what happens: a client that subscribes, and sends each notification to one address as a
/// datagram. UDP says nothing back, so nobody knows whether it is heard. Thread: any.
public final class OSCSender: Listener {
    /// Where datagrams go, as `HOST:PORT`, an IP address and a port. A network's broadcast address reaches everybody on it.
    public struct Destination: Hashable, Sendable {
        public let text: String
        let address: SocketAddress

        /// Nil for what is no IP address with a port. An IPv6 address stands in brackets.
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

    /// Sends what `topics` tell a stranger to `destination` from now on; without any, all that do not come many times a second. The sender
    /// takes an operator's place among `clients`, so that strangers never take it, and is told no more than a player is. Throws
    /// `ControlSocketError`.
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

/// Datagrams out. Thread: its event loop.
private final class OSCSendingHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>

    private let destination: OSCSender.Destination
    private let topics: [String]
    private let service: any ControlService
    private let clients: ClientList
    private var place: ClientList.Place?
    private var willFlush = false

    init(_ destination: OSCSender.Destination, _ topics: [String], _ service: any ControlService, _ clients: ClientList) {
        (self.destination, self.topics, self.service, self.clients) = (destination, topics, service, clients)
    }

    func channelActive(context: ChannelHandlerContext) {
        guard let place = clients.admit(.operators) else { return context.close(promise: nil) }
        self.place = place
        let (channel, handler) = (context.channel, NIOLoopBound(self, eventLoop: context.eventLoop))
        service.connected(place.client, as: WayIn.osc.role, isLocal: false, identity: .unknown) { line in
            handler.value.send(line, channel)
        }
        ask("hello", ["client": .text("OSC to \(destination.text)")])
        ask("subscribe", topics.isEmpty ? [:] : ["topics": .list(topics.map { .text($0) })])
        context.fireChannelActive()
    }

    /// Asks the service as any other client does, and wants no answer.
    private func ask(_ method: String, _ parameters: [String: JSONValue]) {
        let call = JSONValue.object(["jsonrpc": .text("2.0"), "method": .text(method), "params": .object(parameters)])
        guard let place, case .single(.success(let unread)) = Incoming(Array(call.written.utf8), service.methods),
              case .success(let request) = unread.read() else { preconditionFailure("the engine has \(method)") }
        service.answer(request, from: place.client) { _ in }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let place {
            service.disconnected(place.client)
            service.closed(place.client)
            clients.leave(place)
        }
        place = nil
        context.fireChannelInactive()
    }

    private func send(_ line: [UInt8], _ channel: any Channel) -> Bool {
        guard channel.isActive, channel.isWritable else { return false }
        guard let packet = OSCPacket(notification: line) else { return true }
        // What does not fit into a datagram does not go.
        channel.write(AddressedEnvelope(remoteAddress: destination.address, data: channel.allocator.buffer(bytes: packet.bytes)),
                      promise: nil)
        guard !willFlush else { return true }
        willFlush = true
        // Never in the middle of what the service is doing.
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.execute {
            handler.value.willFlush = false
            channel.flush()
        }
        return true
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Nothing that comes back is an answer.
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A receiver that is not there is no reason not to tell it when it is back.
    }
}
