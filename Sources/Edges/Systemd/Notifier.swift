import CLinux
import Glibc

/// Reports the daemon's state to the service manager, by the protocol of sd_notify(3). Without `$NOTIFY_SOCKET` it does nothing. It never
/// blocks and never fails; messages that the manager does not take are lost. Thread: any.
public final class Notifier: Sendable {
    /// The period within which `watchdog` must be called, because the manager restarts the daemon otherwise; calling it twice in a period
    /// is usual. Nil where the manager does not ask for it.
    public let watchdogPeriod: Duration?
    /// Whether the manager has started this very process as a service that reports its state. The manager then notices the process's end.
    public let isService: Bool
    private let sender: DatagramSender?

    public init(_ environment: [String: String]) {
        sender = environment["NOTIFY_SOCKET"].flatMap { DatagramSender(to: $0) }
        watchdogPeriod = Self.watchdogPeriod(environment)
        // A program that a service starts may inherit the socket. Since version 248 systemd says for which process it is meant.
        isService = sender != nil && environment["SYSTEMD_EXEC_PID"].map { pid_t($0) == getpid() } ?? true
    }

    /// Reports that the daemon plays, or plays again after `reloading`.
    public func ready() { send("READY=1") }

    /// Sets the text that `systemctl status` shows.
    public func status(_ status: String) { send(Self.line(status)) }

    public func stopping() { send("STOPPING=1") }

    /// Reports that the settings are being read again, until `ready` is called.
    public func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(monotonicNanoseconds() / 1000)") }

    /// Reports that the daemon is alive.
    public func watchdog() { send("WATCHDOG=1") }

    private func send(_ message: String) { _ = sender?.send(Array(message.utf8)) }

    /// Returns the status as one line of at most 900 scalars: a second line would be a message of its own, and a manager takes no more than
    /// 4,096 bytes.
    private static func line(_ status: String) -> String {
        "STATUS=" + String(String.UnicodeScalarView(status.unicodeScalars.prefix { !$0.properties.isControl }.prefix(900)))
    }

    /// Returns the period as sd_watchdog_enabled(3) finds it; nil where there is none, or it is meant for another process.
    private static func watchdogPeriod(_ environment: [String: String]) -> Duration? {
        guard let period = environment["WATCHDOG_USEC"].flatMap(Int64.init), period > 0 else { return nil }
        if let process = environment["WATCHDOG_PID"], pid_t(process) != getpid() { return nil }
        return .microseconds(period)
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .lineSeparator }
}

/// Sends datagrams to one Unix socket, and never blocks. Thread: any, several at once.
final class DatagramSender: Sendable {
    private let descriptor: CInt
    private let path: String

    /// Prepares to send to a path, or to an abstract name, which begins with `@` (unix(7)). Nil where `path` is neither, or no socket can
    /// be made.
    init?(to path: String) {
        // The limit includes the zero at a path's end; an abstract name has none.
        guard path.hasPrefix("/") && path.utf8.count <= 107 || path.hasPrefix("@") && (2...108).contains(path.utf8.count)
        else { return nil }
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return nil }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Sends a datagram. Returns false when nobody listens, the receiver's queue is full, or the datagram is too long.
    // The socket is not connected, so that a receiver which was restarted is found again.
    func send(_ bytes: [UInt8]) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { field in
            field.copyBytes(from: path.utf8)
            if path.hasPrefix("@") { field[0] = 0 }
        }
        // The address of an abstract name has no terminator, so the length must be exact.
        let length = socklen_t(MemoryLayout<sa_family_t>.size + path.utf8.count + (path.hasPrefix("@") ? 0 : 1))
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL), $0, length) == bytes.count
            }
        }
    }
}
