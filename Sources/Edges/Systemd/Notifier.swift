import CLinux
import Glibc

/// Tells the service manager of the daemon's state, by the protocol of sd_notify(3). Without `$NOTIFY_SOCKET` it tells nobody. It never
/// waits and never fails; what the manager does not take is lost. Thread: any.
public final class Notifier: Sendable {
    /// The period within which `watchdog` must be called, or the manager restarts the daemon; half of it is a good pace. Nil where nobody
    /// asks for it.
    public let watchdogPeriod: Duration?
    private let sender: DatagramSender?

    public init(_ environment: [String: String]) {
        sender = environment["NOTIFY_SOCKET"].flatMap { DatagramSender(to: $0) }
        watchdogPeriod = Self.watchdogPeriod(environment)
    }

    /// Says that the daemon plays, or does so again after `reloading`.
    public func ready() { send("READY=1") }

    /// Sets the text that `systemctl status` shows.
    public func status(_ status: String) { send(Self.line(status)) }

    public func stopping() { send("STOPPING=1") }

    /// Says that the settings are being read again; `ready` ends it.
    public func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(monotonicNanoseconds() / 1000)") }

    /// Says that the daemon is alive.
    public func watchdog() { send("WATCHDOG=1") }

    private func send(_ message: String) { _ = sender?.send(Array(message.utf8)) }

    /// The status as one line of at most 900 scalars: a second line would be a message of its own, and a manager takes no more than 4,096
    /// bytes.
    private static func line(_ status: String) -> String {
        "STATUS=" + String(String.UnicodeScalarView(status.unicodeScalars.prefix { !$0.properties.isControl }.prefix(900)))
    }

    /// The period by sd_watchdog_enabled(3); nil where it is meant for another process.
    private static func watchdogPeriod(_ environment: [String: String]) -> Duration? {
        guard let period = environment["WATCHDOG_USEC"].flatMap(Int64.init), period > 0 else { return nil }
        if let process = environment["WATCHDOG_PID"], pid_t(process) != getpid() { return nil }
        return .microseconds(period)
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .lineSeparator }
}

/// Sends datagrams to one Unix socket, and never waits. Thread: any, also several at once.
final class DatagramSender: Sendable {
    private let descriptor: CInt
    private let path: String

    /// Sends to a path, or to an abstract name, which begins with `@` (unix(7)). Nil where that is neither, or no socket can be had.
    init?(to path: String) {
        // The zero that ends a path counts; an abstract name has none.
        guard path.hasPrefix("/") && path.utf8.count <= 107 || path.hasPrefix("@") && (2...108).contains(path.utf8.count)
        else { return nil }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Sends a datagram. Returns false when nobody listens there, his queue is full, or it is too long.
    // Not connected, so that one who listens again after a pause is found.
    func send(_ bytes: [UInt8]) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { field in
            field.copyBytes(from: path.utf8)
            if path.hasPrefix("@") { field[0] = 0 }
        }
        // All of an abstract name's bytes count, so that the length must be exact.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count + (path.hasPrefix("@") ? 0 : 1))
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, length) == bytes.count
            }
        }
    }
}
