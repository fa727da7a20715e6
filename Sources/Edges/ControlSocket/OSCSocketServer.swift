import Dispatch
import Glibc
import NIOCore
import Synchronization

/// Open Sound Control over a Unix datagram socket, to which only the socket's owner may send. A sender is identified by the path of its own
/// socket. All senders without a path count as one client, and get no answers.
public final class OSCSocketServer: Listener {
    /// The largest number of bytes read from a datagram.
    private static let longest = 65_536

    /// The reader of the open socket; nil when the server was closed.
    private let reader: Mutex<Reader?>
    private let begin: @Sendable (_ descriptor: CInt, _ file: SocketFile) async throws -> Reader
    private let closeDesk: @Sendable () async -> Void

    private init(_ reader: Reader, begin: @escaping @Sendable (_ descriptor: CInt, _ file: SocketFile) async throws -> Reader,
                 closeDesk: @escaping @Sendable () async -> Void) {
        self.reader = Mutex(reader)
        self.begin = begin
        self.closeDesk = closeDesk
    }

    /// Listens on `path`, and carries out requests on `loop`. A socket file on which nobody listens any more is replaced. Throws
    /// `ControlSocketError`.
    // This is not NIO's bootstrap, which stops the process at a sender without a path (fatalError in BaseSocket.swift, NIO 2.101).
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
                // Waits until each datagram is carried out, so that further ones queue in the socket and not in memory.
                try? loop.submit { dispatcher.value.dispatcher.take(datagram, from: sender) }.wait()
            }
        }
        return OSCSocketServer(try await begin(descriptor, file), begin: begin) {
            // Answers are sent on the event loop. So after this has run there, none is sent any more.
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

    /// Stops receiving, and removes the socket file.
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

    /// Reads the next datagram, and the path of its sender's socket, which is empty if it has none; nil when no datagram waits.
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
        // If the sender does not read the answer, it is lost.
        SocketFile.withAddress(of: sender) { _ = sendto(descriptor, datagram, datagram.count, Int32(MSG_DONTWAIT), $0, $1) }
    }
}

/// The descriptor through which answers are sent. Used on the event loop only.
private final class Sending {
    /// The socket; nil when nothing may be sent any more.
    var descriptor: CInt?

    init(_ descriptor: CInt) { self.descriptor = descriptor }
}

/// Reads from a socket, on a queue of its own.
// Safe to share: the dispatch source is only cancelled, which any thread may do, and a mutex guards the file.
private final class Reader: @unchecked Sendable {
    private let known: Mutex<SocketFile>
    private let source: any DispatchSourceRead
    private let end: EventLoopFuture<Void>

    var file: SocketFile { known.withLock { $0 } }

    /// Takes a new lock in place of one whose file was removed. The socket stays open, so this returns false, which says to `mend` that it
    /// was not opened again.
    func lockAgain() throws(ControlSocketError) -> Bool {
        let locked = try file.lockedAgain()
        known.withLock { $0 = locked }
        return false
    }

    /// Takes ownership of the descriptor, and calls `read` when a datagram has arrived.
    init(_ descriptor: CInt, _ file: SocketFile, on loop: any EventLoop, read: @escaping @Sendable () -> Void) {
        known = Mutex(file)
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: DispatchQueue(label: "osc"))
        source.setEventHandler(handler: read)
        let end = loop.makePromise(of: Void.self)
        source.setCancelHandler {
            // The socket is closed on the event loop, so that it is not closed while an answer is being sent.
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
