import Glibc
import NIOCore
import NIOPosix
import Signals
import Synchronization
import Wire

/// The control protocol for Max, Pd, TouchDesigner and their like: Open Sound Control 1.0 over UDP.
public final class OSCServer: Sendable {
    private let state: Mutex<State>

    /// Nil when it is closed for good.
    private typealias State = (any Channel)?

    private init(_ channel: any Channel) { state = Mutex(channel) }

    /// Listens on `address` and `port`, on one event loop. `clients` are counted with those of the control socket. A socket that fails is
    /// replaced. Throws `ControlSocketError`.
    public static func listen(address: String, port: Int, loop: any EventLoop, service: some ControlService, clients: ClientList)
        async throws -> OSCServer {
        do {
            let bind = { @Sendable in
                DatagramBootstrap(group: loop)
                    .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: 65_536))
                    .channelInitializer { channel in
                        channel.eventLoop.makeCompletedFuture {
                            try channel.pipeline.syncOperations.addHandler(OSCHandler(service, clients))
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

/// Datagrams to requests, answers to datagrams. Thread: its event loop.
private final class OSCHandler<Service: ControlService>: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    /// A datagram does not say that its sender has gone: whoever is silent for so long counts as gone.
    private static var patience: TimeAmount { .seconds(30) }

    /// At once. When there is one more, the one that has been silent for longest goes.
    private static var senderLimit: Int { 64 }
    /// To one datagram.
    private static var answerLimit: Int { 16 }

    private struct Sender {
        var client: Int
        var heard: NIODeadline
        var patience = OSCHandler.patience
    }

    private let service: Service
    private let clients: ClientList
    private var senders: [SocketAddress: Sender] = [:]
    private var roundUp: RepeatedTask?
    /// That may still go to the datagram at hand.
    private var answersLeft = 0
    private var willFlush = false

    init(_ service: Service, _ clients: ClientList) {
        self.service = service
        self.clients = clients
    }

    func channelActive(context: ChannelHandlerContext) {
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        roundUp = context.eventLoop.scheduleRepeatedTask(initialDelay: .milliseconds(250), delay: .milliseconds(250)) { _ in
            handler.value.release { $0.heard + $0.patience < .now() }
        }
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        roundUp?.cancel()
        release { _ in true }
        context.fireChannelInactive()
    }

    private func release(_ isGone: (Sender) -> Bool) {
        for (address, sender) in senders where isGone(sender) {
            senders[address] = nil
            service.disconnected(sender.client)
            clients.leave()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let datagram = unwrapInboundIn(data)
        let address = datagram.remoteAddress
        // From port 0 nobody can have sent it, and to it nothing can go.
        guard address.port != 0 else { return }
        answersLeft = Self.answerLimit
        do throws(Fault) {
            let packet = try OSCPacket(Array(datagram.data.readableBytesView))
            guard let client = client(at: address) else {
                return answer("", "\(clients.limit) clients are connected already", to: address, context.channel)
            }
            let now = Clocks()
            for (time, message) in packet.messages where !["/error", "/reply"].contains(message.address) {
                act(on: message, at: time.flatMap(now.moment), of: client, address, context)
            }
        } catch {
            answer("", error.description, to: address, context.channel)
        }
    }

    private func act(on message: OSCMessage, at moment: Int64?, of client: Int, _ address: SocketAddress,
                     _ context: ChannelHandlerContext) {
        let channel = context.channel
        let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
        for call in message.calls {
            switch call {
            case .success(.subscribe):
                answer(message.address, "subscriptions are for the socket", to: address, channel)
            case .success(let call):
                if case .ping(let milliseconds?) = call {
                    senders[address]?.patience = milliseconds > 0 ? .milliseconds(Int64(milliseconds)) : Self.patience
                }
                var request = Request(id: .integer(0), call: call)
                if let moment, case .report(let happening, _) = call { request.call = .report(happening, at: .at(moment)) }
                service.answer(request, from: client) { line in
                    handler.value.answer(message.address, with: line, isEvent: call.isEvent, to: address, channel)
                }
            case .failure(let error):
                answer(message.address, error.message, to: address, channel)
            }
        }
    }

    private func client(at address: SocketAddress) -> Int? {
        if let sender = senders[address] {
            senders[address]?.heard = .now()
            return sender.client
        }
        if senders.count >= Self.senderLimit, let silent = senders.values.min(by: { $0.heard < $1.heard }) {
            release { $0.client == silent.client }
        }
        guard let client = clients.admit() else { return nil }
        senders[address] = Sender(client: client, heard: .now())
        service.connected(client) { _ in true }
        return client
    }

    /// `/error` with the address and what is wrong; `/reply` with the address and the result's JSON to a question; nothing to an event.
    private func answer(_ about: String, with line: [UInt8], isEvent: Bool, to address: SocketAddress, _ channel: any Channel) {
        if let problem = Reply.problem(in: line) {
            answer(about, problem, to: address, channel)
        } else if !isEvent {
            send(OSCMessage("/reply", [.text(about), .text(String(decoding: Reply.result(in: line), as: UTF8.self))]), to: address, channel)
        }
    }

    private func answer(_ about: String, _ problem: String, to address: SocketAddress, _ channel: any Channel) {
        send(OSCMessage("/error", [.text(about), .text(problem)]), to: address, channel)
    }

    private func send(_ message: OSCMessage, to address: SocketAddress, _ channel: any Channel) {
        guard answersLeft > 0 else { return }
        answersLeft -= 1
        // What does not fit into a datagram does not go.
        channel.write(AddressedEnvelope(remoteAddress: address, data: channel.allocator.buffer(bytes: message.bytes)), promise: nil)
        guard !willFlush else { return }
        willFlush = true
        // Never in the middle of what the service is doing: a flush can find the socket broken, and tell it so.
        let handler = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.eventLoop.execute {
            handler.value.willFlush = false
            channel.flush()
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A sender that has closed its port is no reason not to hear the others.
    }
}

/// What both clocks say at one moment: OSC's times are by the wall's, ours are not.
private struct Clocks {
    private let wall = Clocks.read(CLOCK_REALTIME)
    private let monotonic = Clocks.read(CLOCK_MONOTONIC)

    /// CLOCK_MONOTONIC in nanoseconds; nil for what has passed, which is played at once.
    func moment(of time: OSCTime) -> Int64? {
        let ahead = time.unixNanoseconds - wall
        return ahead > 0 ? monotonic + ahead : nil
    }

    private static func read(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension Call {
    fileprivate var isEvent: Bool { if case .report = self { true } else { false } }
}
