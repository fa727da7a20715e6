import NIOCore
import NIOPosix
import Synchronization
import Wire

/// An IP address without a port. An IPv4 address that is mapped into IPv6, as dual-stack sockets have it, equals the IPv4 address.
public struct HostAddress: Hashable, Sendable {
    private let bytes: [UInt8]

    /// Reads an address of IPv4 or IPv6. Returns nil for text that is no address, and for the unspecified address (0.0.0.0, ::), which no
    /// sender has.
    public init?(_ text: String) {
        guard let address = try? SocketAddress(ipAddress: text, port: 0) else { return nil }
        self.init(address)
    }

    /// Takes the address out of a socket's address; nil for a Unix socket, and for the unspecified address.
    init?(_ address: SocketAddress) {
        let bytes: [UInt8]
        switch address {
        case .v4(let address): bytes = withUnsafeBytes(of: address.address.sin_addr) { Array($0) }
        case .v6(let address): bytes = withUnsafeBytes(of: address.address.sin6_addr) { Array($0) }
        case .unixDomainSocket: return nil
        }
        let mapped: [UInt8] = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
        self.bytes = bytes.starts(with: mapped) ? Array(bytes.dropFirst(mapped.count)) : bytes
        guard self.bytes.contains(where: { $0 != 0 }) else { return nil }
    }
}

/// The control protocol for Max, Pd, TouchDesigner and similar programs: Open Sound Control 1.0 over UDP.
public final class OSCServer: Listener {
    private let state: Mutex<State>

    /// The open socket; nil when the server was closed.
    private typealias State = (any Channel)?

    private init(_ channel: any Channel) { state = Mutex(channel) }

    /// Listens on `address` and `port`, on one event loop. A sender whose address is in `operators` may do what an operator may do over
    /// OSC. `clients` counts the senders with the clients of the control socket. A socket that fails is replaced. Throws
    /// `ControlSocketError`.
    public static func listen(address: String, port: Int, operators: Set<HostAddress> = [], limits: Limits, loop: any EventLoop,
                              service: any ControlService, clients: ClientList) async throws -> OSCServer {
        do {
            let bind = { @Sendable in
                DatagramBootstrap(group: loop)
                    // One datagram is read at a time, between the turns of other clients.
                    .channelOption(.maxMessagesPerRead, value: 1)
                    .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(OSCHandler(service, clients, limits, operators))
                        }
                    }
                    .bind(host: address, port: port)
            }
            let server = OSCServer(try await bind().get())
            server.replaceWhenClosed(on: loop, bind)
            return server
        } catch let error as IOError {
            throw ControlSocketError.refused("\(address):\(port)", errno: error.errnoCode)
        }
    }

    private func replaceWhenClosed(on loop: any EventLoop, _ bind: @escaping @Sendable () -> EventLoopFuture<any Channel>) {
        state.withLock { $0 }?.closeFuture.whenComplete { _ in self.replace(on: loop, bind) }
    }

    private func replace(on loop: any EventLoop, _ bind: @escaping @Sendable () -> EventLoopFuture<any Channel>) {
        guard state.withLock({ $0 }) != nil else { return }
        bind().whenComplete { result in
            switch result {
            case .success(let channel):
                let isOpen = self.state.withLock { state in
                    if state != nil { state = channel }
                    return state != nil
                }
                if isOpen { self.replaceWhenClosed(on: loop, bind) } else { channel.close(promise: nil) }
            case .failure:
                loop.scheduleTask(in: .seconds(1)) { self.replace(on: loop, bind) }
            }
        }
    }

    public func close() async {
        let channel = state.withLock { state in
            defer { state = nil }
            return state
        }
        try? await channel?.close()
    }
}

/// The channel handler that receives and sends datagrams. Thread: its event loop.
private final class OSCHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let service: any ControlService
    private let clients: ClientList
    private let limits: Limits
    private let operators: Set<HostAddress>
    private var dispatcher: OSCDispatcher<SocketAddress>?
    private var willFlush = false

    init(_ service: any ControlService, _ clients: ClientList, _ limits: Limits, _ operators: Set<HostAddress>) {
        self.service = service
        self.clients = clients
        self.limits = limits
        self.operators = operators
    }

    func channelActive(context: ChannelHandlerContext) {
        let channel = context.channel
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        let wayIn = { [operators] (sender: SocketAddress) -> WayIn in
            HostAddress(sender).map(operators.contains) == true ? .oscOperator : .osc
        }
        dispatcher = OSCDispatcher(service, clients, limits, wayIn: wayIn, on: context.eventLoop) {
            handler.value.send($0, to: $1, channel)
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        dispatcher?.close()
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let datagram = unwrapInboundIn(data)
        // Port 0 is no sender's port, and nothing can be sent to it.
        guard datagram.remoteAddress.port != 0 else { return }
        dispatcher?.take(Array(datagram.data.readableBytesView), from: datagram.remoteAddress)
    }

    private func send(_ bytes: [UInt8], to address: SocketAddress, _ channel: any Channel) {
        // An answer that is too large for a datagram is lost.
        channel.write(AddressedEnvelope(remoteAddress: address, data: channel.allocator.buffer(bytes: bytes)), promise: nil)
        guard !willFlush else { return }
        willFlush = true
        // The flush waits until the service has finished what it is doing: it can find the socket broken, and would then call the service.
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.execute {
            handler.value.willFlush = false
            channel.flush()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // Errors are ignored: that one sender has closed its port must not keep the others from being heard.
    }
}
