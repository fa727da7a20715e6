import Dispatch
import Glibc
import NIOCore
import Synchronization

/// Open Sound Control over a Unix datagram socket; only its owner may send. A sender is a client by its own socket's path; all that have
/// none are one client, and get no answers.
public final class OSCSocketServer: Listener {
    /// The most bytes of a datagram that are read; OSC's longest strings are shorter by far.
    private static let longest = 65_536

    /// The open socket; nil when it is closed for good.
    private let reader: Mutex<Reader?>
    private let begin: @Sendable (_ descriptor: CInt, _ file: SocketFile) async throws -> Reader
    private let closeDesk: @Sendable () async -> Void

    private init(_ reader: Reader, begin: @escaping @Sendable (_ descriptor: CInt, _ file: SocketFile) async throws -> Reader,
                 closeDesk: @escaping @Sendable () async -> Void) {
        self.reader = Mutex(reader)
        self.begin = begin
        self.closeDesk = closeDesk
    }

    /// Listens on `path`, and acts on datagrams on `loop`. A socket file nobody listens on any more is replaced. Throws
    /// `ControlSocketError`.
    // Not by NIO's bootstrap, which stops the process at a sender without a path (fatalError in BaseSocket.swift, NIO 2.101).
    public static func listen(on path: String, limits: Limits, loop: any EventLoop, service: any ControlService, clients: ClientList)
        async throws -> OSCSocketServer {
        let (descriptor, file) = try SocketFile.bind(path, type: SOCK_DGRAM, SocketFile.Making())
        let dispatcher = try await loop.submit {
            let sending = Sending(descriptor)
            let dispatcher = OSCDispatcher<String>(service, clients, limits, wayIn: { _ in .osc }, on: loop) {
                answer(sending.descriptor, $0, to: $1)
            }
            return NIOLoopBound((sending: sending, dispatcher: dispatcher), eventLoop: loop)
        }.get()
        let begin = { @Sendable (descriptor: CInt, file: SocketFile) in
            try await loop.submit { dispatcher.value.sending.descriptor = descriptor }.get()
            return Reader(descriptor, file, on: loop) {
                guard let (datagram, sender) = receive(descriptor) else { return }
                // One after the other, so that they wait in the socket and not here.
                try? loop.submit { dispatcher.value.dispatcher.take(datagram, from: sender) }.wait()
            }
        }
        return OSCSocketServer(try await begin(descriptor, file), begin: begin) {
            // On the loop, where answers are sent: none is sent after it.
            try? await loop.submit {
                dispatcher.value.sending.descriptor = nil
                dispatcher.value.dispatcher.close()
            }.get()
        }
    }

    public var isLost: Bool { reader.withLock { $0 }?.file.isThere == false }

    public func mend() async throws -> Bool {
        guard let old = reader.withLock({ $0 }), isLost else { return false }
        if old.file.isFound { return try old.lockAgain() }
        let (descriptor, file) = try old.file.boundAgain()
        let new = try await begin(descriptor, file)
        let isOpen = reader.withLock { reader in
            guard reader != nil else { return false }
            reader = new
            return true
        }
        if !isOpen { file.remove() }
        await (isOpen ? old : new).close()
        return isOpen
    }

    /// Hears nobody any more and removes the socket file.
    public func close() async {
        let last = reader.withLock { reader in
            defer { reader = nil }
            return reader
        }
        guard let last else { return }
        last.file.remove()
        await closeDesk()
        await last.close()
    }

    /// The next datagram, and the path of its sender's socket, empty if it has none; nil when no datagram waits.
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

    private static func answer(_ descriptor: CInt?, _ datagram: [UInt8], to sender: String) {
        guard let descriptor, !sender.isEmpty else { return }
        // One that does not read it has missed it.
        SocketFile.withAddress(of: sender) { _ = sendto(descriptor, datagram, datagram.count, Int32(MSG_DONTWAIT), $0, $1) }
    }
}

/// The descriptor by which answers are sent. Used on the event loop only.
private final class Sending {
    /// The socket; nil when nothing is sent any more.
    var descriptor: CInt?

    init(_ descriptor: CInt) { self.descriptor = descriptor }
}

/// Reads from one socket, on a thread of its own.
// Safe to share, because a dispatch source may be cancelled from any thread, nothing else is done with it, and a mutex guards the file.
private final class Reader: @unchecked Sendable {
    private let known: Mutex<SocketFile>
    private let source: any DispatchSourceRead
    private let end: EventLoopFuture<Void>

    var file: SocketFile { known.withLock { $0 } }

    /// Takes a new lock in place of one whose file was removed. Returns false: the socket itself is as it was.
    func lockAgain() throws(ControlSocketError) -> Bool {
        let locked = try file.lockedAgain()
        known.withLock { $0 = locked }
        return false
    }

    /// Takes the descriptor, and calls `read` when there is something to be read.
    init(_ descriptor: CInt, _ file: SocketFile, on loop: any EventLoop, read: @escaping @Sendable () -> Void) {
        known = Mutex(file)
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "osc"))
        source.setEventHandler(handler: read)
        let end = loop.makePromise(of: Void.self)
        source.setCancelHandler {
            // On the loop, so that it is closed between two answers and not during one.
            loop.execute {
                Glibc.close(descriptor)
                end.succeed()
            }
        }
        self.end = end.futureResult
        source.activate()
    }

    func close() async {
        source.cancel()
        try? await end.get()
    }
}
