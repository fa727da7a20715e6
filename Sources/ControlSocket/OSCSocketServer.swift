import Dispatch
import Glibc
import NIOCore

/// Open Sound Control over a Unix datagram socket; only its owner may send. A sender is a client by its own socket's path; all that have
/// none are one client, and get no answers.
// Safe to share, because a dispatch source may be cancelled from any thread, and nothing else is done with it.
public final class OSCSocketServer: @unchecked Sendable {
    /// The most of a datagram that is read; OSC's longest strings are shorter by far.
    private static let longest = 65_536

    private let file: SocketFile
    private let source: any DispatchSourceRead
    private let end: EventLoopFuture<Void>

    private init(_ file: SocketFile, _ source: any DispatchSourceRead, end: EventLoopFuture<Void>) {
        self.file = file
        self.source = source
        self.end = end
    }

    /// Listens on `path`. What comes is acted on on `loop`. A socket file nobody listens on any more is replaced. Throws
    /// `ControlSocketError`.
    // Not by NIO's bootstrap, which stops the process at a sender without a path (fatalError in BaseSocket.swift, NIO 2.101).
    public static func listen(on path: String, limits: Limits, loop: any EventLoop, service: some ControlService, clients: ClientList)
        async throws -> OSCSocketServer {
        let (descriptor, file) = try SocketFile.bind(path, type: SOCK_DGRAM)
        let desk = try await loop.submit {
            NIOLoopBound(OSCDesk<String, _>(service, clients, limits, on: loop) { answer(descriptor, $0, to: $1) }, eventLoop: loop)
        }.get()
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "osc"))
        source.setEventHandler {
            guard let (datagram, sender) = receive(descriptor) else { return }
            // One after the other, so that they wait in the socket and not here.
            try? loop.submit { desk.value.take(datagram, from: sender) }.wait()
        }
        let end = loop.makePromise(of: Void.self)
        source.setCancelHandler {
            // On the loop, where answers are sent: none is sent after it.
            loop.execute {
                desk.value.close()
                Glibc.close(descriptor)
                end.succeed()
            }
        }
        source.activate()
        return OSCSocketServer(file, source, end: end.futureResult)
    }

    /// Hears nobody any more and removes the socket file.
    public func close() async {
        file.remove()
        source.cancel()
        try? await end.get()
    }

    /// The next datagram, and the path of its sender's socket, empty if it has none; nil when there is none for now.
    private static func receive(_ descriptor: CInt) -> (datagram: [UInt8], sender: String)? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        var count = 0
        let datagram = [UInt8](unsafeUninitializedCapacity: longest) { bytes, size in
            count = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_DONTWAIT), $0, &length)
                }
            }
            size = max(0, count)
        }
        guard count >= 0 else { return nil }
        let named = Int(length) - MemoryLayout<sa_family_t>.size
        let sender = withUnsafeBytes(of: address.sun_path) { path in
            String(decoding: path.prefix(max(0, named)).prefix { $0 != 0 }, as: UTF8.self)
        }
        return (datagram, sender)
    }

    private static func answer(_ descriptor: CInt, _ datagram: [UInt8], to sender: String) {
        guard !sender.isEmpty else { return }
        // One that does not read it has missed it.
        SocketFile.withAddress(of: sender) { _ = sendto(descriptor, datagram, datagram.count, Int32(MSG_DONTWAIT), $0, $1) }
    }
}
