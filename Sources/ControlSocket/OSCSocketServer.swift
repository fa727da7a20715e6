import Dispatch
import Glibc
import NIOCore

/// Open Sound Control over a Unix datagram socket; only its owner may send. A sender is a client by its own socket's path; all that have
/// none are one client, and get no answers.
// Safe to share, because a dispatch source may be cancelled from any thread, and nothing else is done with it.
public final class OSCSocketServer: @unchecked Sendable {
    /// The most of a datagram that is read; OSC's longest strings are shorter by far.
    private static let longest = 65_536

    private let path: String
    private let source: any DispatchSourceRead

    private init(path: String, source: any DispatchSourceRead) {
        self.path = path
        self.source = source
    }

    /// Listens on `path`. What comes is acted on on `loop`. A socket file that is there is replaced, unless somebody listens. Throws
    /// `ControlSocketError`.
    // Not by NIO's bootstrap, which stops the process at a sender without a path (fatalError in BaseSocket.swift, NIO 2.101).
    public static func listen(on path: String, limits: Limits, loop: any EventLoop, service: some ControlService, clients: ClientList)
        async throws -> OSCSocketServer {
        let descriptor = try bind(path)
        let desk = try await loop.submit {
            NIOLoopBound(OSCDesk<String, _>(service, clients, limits, on: loop) { answer(descriptor, $0, to: $1) }, eventLoop: loop)
        }.get()
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "osc"))
        source.setEventHandler {
            while let (datagram, sender) = receive(descriptor) {
                // One after the other, so that they wait in the socket and not here.
                try? loop.submit { desk.value.take(datagram, from: sender) }.wait()
            }
        }
        source.setCancelHandler {
            loop.execute { desk.value.close() }
            Glibc.close(descriptor)
        }
        source.activate()
        return OSCSocketServer(path: path, source: source)
    }

    /// Hears nobody any more and removes the socket file.
    public func close() {
        unlink(path)
        source.cancel()
    }

    private static func bind(_ path: String) throws(ControlSocketError) -> CInt {
        guard path.utf8.count <= 107 else { throw .pathTooLong(path) }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { throw .refused(path, errno: errno) }
        let status = withAddress(of: path) { address, length in
            // Whoever is refused there finds nobody listening.
            if connect(descriptor, address, length) == 0 { return EADDRINUSE }
            if errno == ECONNREFUSED { unlink(path) }
            let mask = umask(0o177)
            defer { umask(mask) }
            return Glibc.bind(descriptor, address, length) == 0 ? 0 : errno
        }
        guard status == 0 else {
            Glibc.close(descriptor)
            throw status == EADDRINUSE ? .inUse(path) : .refused(path, errno: status)
        }
        return descriptor
    }

    /// The next datagram, and the path of its sender's socket, empty if it has none; nil when there is none for now.
    private static func receive(_ descriptor: CInt) -> (datagram: [UInt8], sender: String)? {
        var address = sockaddr_un()
        var length = socklen_t(MemoryLayout<sockaddr_un>.size)
        var count = 0
        let datagram = [UInt8](unsafeUninitializedCapacity: longest) { bytes, size in
            count = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(descriptor, bytes.baseAddress, bytes.count, 0, $0, &length)
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
        withAddress(of: sender) { _ = sendto(descriptor, datagram, datagram.count, Int32(MSG_DONTWAIT), $0, $1) }
    }

    private static func withAddress<Result>(of path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
