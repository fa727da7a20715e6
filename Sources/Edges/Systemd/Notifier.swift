import CLinux
import Glibc

/// Tells the service manager how things are, by the protocol of sd_notify(3). Without `$NOTIFY_SOCKET` it tells nobody. It never waits and
/// never fails; what the manager does not take is lost. Thread: any.
public final class Notifier: Sendable {
    /// At least so often `watchdog` must be called, or the manager restarts the daemon; half of it is a good pace. Nil where nobody
    /// asks for it.
    public let watchdogPeriod: Duration?
    private let sender: DatagramSender?

    public init(_ environment: [String: String]) {
        sender = environment["NOTIFY_SOCKET"].flatMap { DatagramSender(to: $0) }
        watchdogPeriod = Self.watchdogPeriod(environment)
    }

    /// It plays, or does so again after `reloading`.
    public func ready() { send("READY=1") }

    /// What `systemctl status` shows.
    public func status(_ status: String) { send(Self.line(status)) }

    public func stopping() { send("STOPPING=1") }

    /// The settings are being read again; `ready` ends it.
    public func reloading() { send("RELOADING=1\nMONOTONIC_USEC=\(monotonicNanoseconds() / 1000)") }

    /// It is alive.
    public func watchdog() { send("WATCHDOG=1") }

    private func send(_ message: String) { _ = sender?.send(Array(message.utf8)) }

    /// A second line would be a message of its own; and a manager takes no more than 4,096 bytes.
    private static func line(_ status: String) -> String {
        "STATUS=" + String(String.UnicodeScalarView(status.unicodeScalars.prefix { !$0.properties.isControl }.prefix(900)))
    }

    /// By sd_watchdog_enabled(3): it may be meant for another process.
    private static func watchdogPeriod(_ environment: [String: String]) -> Duration? {
        guard let period = environment["WATCHDOG_USEC"].flatMap(Int64.init), period > 0 else { return nil }
        if let process = environment["WATCHDOG_PID"], pid_t(process) != getpid() { return nil }
        return .microseconds(period)
    }
}

extension Unicode.Scalar.Properties {
    fileprivate var isControl: Bool { generalCategory == .control || generalCategory == .lineSeparator }
}
