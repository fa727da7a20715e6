import Glibc
import Logging

/// Log records as entries of the system's journal, with a field for each piece of metadata. It never waits.
public struct JournalLogHandler: LogHandler {
    public var logLevel = Logger.Level.info
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let journal: DatagramSender
    private let standardError: CInt

    /// For `LoggingSystem.bootstrap`: log to the journal where standard error goes there, by `$JOURNAL_STREAM` (systemd.exec(5)); else to
    /// standard error.
    public static func orStandardError(_ environment: [String: String]) -> @Sendable (String) -> any LogHandler {
        guard let stream = environment["JOURNAL_STREAM"], stream == identity(of: STDERR_FILENO),
              let journal = DatagramSender(to: "/run/systemd/journal/socket") else {
            return { PrintableLogHandler(StreamLogHandler.standardError(label: $0)) }
        }
        return { JournalLogHandler(label: $0, journal: journal) }
    }

    init(label: String, journal: DatagramSender, standardError: CInt = STDERR_FILENO) {
        self.label = label
        self.journal = journal
        self.standardError = standardError
        metadataProvider = LoggingSystem.metadataProvider
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    public func log(event: LogEvent) {
        var metadata = metadata
        if let metadataProvider { metadata.merge(metadataProvider.get()) { $1 } }
        if let explicit = event.metadata { metadata.merge(explicit) { $1 } }
        if let error = event.error { metadata["error"] = "\(error)" }
        let details = metadata.sorted { $0.key < $1.key }.map { (key: $0.key, value: "\($0.value)") }
        // What is not in the message, `journalctl` shows only to those who ask for all fields.
        let message = "\(event.message)"
            + (details.isEmpty ? "" : " (" + details.map { "\($0.key)=\($0.value)" }.joined(separator: " ") + ")")
        var record = JournalRecord()
        record.append("MESSAGE", message)
        record.append("PRIORITY", "\(event.level.priority)")
        record.append("SYSLOG_IDENTIFIER", label)
        for (key, value) in details { record.append(JournalRecord.field(key), value) }
        if !journal.send(record.bytes) { complain(message, event.level) }
    }

    /// To standard error, which the journal reads, too: a line with its priority in front (sd-daemon(3)).
    private func complain(_ message: String, _ level: Logger.Level) {
        let line = Array("<\(level.priority)>\(message.split(whereSeparator: \.isNewline).joined(separator: "; "))\n".utf8)
        let sent = send(standardError, line, line.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        // It is a socket, unless somebody has made something else of it.
        if sent < 0, errno == ENOTSOCK { write(standardError, line, line.count) }
    }

    /// Device and inode, as in `$JOURNAL_STREAM`.
    private static func identity(of descriptor: CInt) -> String? {
        var info = stat()
        return fstat(descriptor, &info) == 0 ? "\(info.st_dev):\(info.st_ino)" : nil
    }
}

extension Logger.Level {
    /// As in syslog(3).
    fileprivate var priority: Int {
        switch self {
        case .trace, .debug: 7
        case .info: 6
        case .notice: 5
        case .warning: 4
        case .error: 3
        case .critical: 2
        }
    }
}
