import Escaping
import Glibc
import Logging

/// Writes log records to the system's journal, with a field for each piece of metadata. It never blocks.
public struct JournalLogHandler: LogHandler {
    public var logLevel = Logger.Level.info
    public var metadata: Logger.Metadata = [:]
    public var metadataProvider: Logger.MetadataProvider?
    private let label: String
    private let journal: DatagramSender
    private let standardError: CInt

    /// Makes handlers for `LoggingSystem.bootstrap`: they log to the journal if standard error is connected to it, as `$JOURNAL_STREAM`
    /// says (systemd.exec(5)); else to standard error.
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
        // The message repeats the metadata, because `journalctl` shows other fields only on request.
        let message = "\(event.message)"
            + (details.isEmpty ? "" : " (" + details.map { "\($0.key)=\($0.value)" }.joined(separator: " ") + ")")
        var record = JournalRecord()
        record.append("MESSAGE", message)
        record.append("PRIORITY", "\(event.level.priority)")
        record.append("SYSLOG_IDENTIFIER", label)
        for (key, value) in details { record.append(JournalRecord.field(key), value) }
        if !journal.send(record.bytes) { complain(message, event.level) }
    }

    /// Writes a line with its priority in front (sd-daemon(3)) to standard error, which the journal reads, too.
    private func complain(_ message: String, _ level: Logger.Level) {
        let line = Array("<\(level.priority)>\(message.split(whereSeparator: \.isNewline).joined(separator: "; "))\n".utf8)
        let sent = send(standardError, line, line.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
        // Standard error is a socket, unless somebody has redirected it.
        if sent < 0, errno == ENOTSOCK { write(standardError, line, line.count) }
    }

    /// Returns the device and inode of a descriptor in the form of `$JOURNAL_STREAM`.
    private static func identity(of descriptor: CInt) -> String? {
        var info = stat()
        return fstat(descriptor, &info) == 0 ? "\(info.st_dev):\(info.st_ino)" : nil
    }
}

extension Logger.Level {
    /// The priority by syslog(3).
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

/// Writes log records to a terminal, with each control character as `·` (`String.printable`), so that the terminal does not obey it.
struct PrintableLogHandler: LogHandler {
    private var handler: any LogHandler

    init(_ handler: any LogHandler) { self.handler = handler }

    var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue.mapValues { "\("\($0)".printable)" } }
    }

    var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue.map { "\("\($0)".printable)" } }
    }

    func log(event: LogEvent) {
        var event = event
        event.message = "\("\(event.message)".printable)"
        event.metadata = event.metadata?.mapValues { "\("\($0)".printable)" }
        handler.log(event: event)
    }
}

/// An entry of the system's journal, in the native protocol (https://systemd.io/JOURNAL_NATIVE_PROTOCOL/).
struct JournalRecord {
    private(set) var bytes: [UInt8] = []

    /// The number of scalars to which a value is cut. Several such fields fit into a datagram, which holds about 200 KiB.
    private static let longest = 8192

    /// Adds a field. `field` is a name that the journal allows: `A` to `Z`, digits and `_`.
    mutating func append(_ field: String, _ value: String) {
        let value = Array(String(String.UnicodeScalarView(value.unicodeScalars.prefix(Self.longest))).utf8)
        bytes += Array(field.utf8)
        if value.contains(UInt8(ascii: "\n")) {
            // A value with newlines is written with its length; the second line would be taken for another field otherwise.
            bytes.append(UInt8(ascii: "\n"))
            withUnsafeBytes(of: UInt64(value.count).littleEndian) { bytes += $0 }
        } else {
            bytes.append(UInt8(ascii: "="))
        }
        bytes += value
        bytes.append(UInt8(ascii: "\n"))
    }

    /// Returns the field's name for a key of a record's metadata, such as `THRUM_MAX_RATE` for `max-rate`. It has at most 64 characters.
    static func field(_ key: String) -> String {
        let name = key.uppercased().unicodeScalars.map { scalar in
            switch scalar {
            case "A"..."Z", "0"..."9": Character(scalar)
            default: "_" as Character
            }
        }
        return String(("THRUM_" + name).prefix(64))
    }
}
