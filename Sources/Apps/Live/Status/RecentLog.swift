import Logging
import Synchronization
import Wire

/// The newest records of the log, for clients that ask the daemon and not the system's journal. Thread: any.
public final class RecentLog: Sendable {
    private struct State {
        /// The records, oldest first.
        var records: [LogRecord] = []
        var number = 0
    }

    /// The largest number of records.
    static let room = 1_000
    /// The length in characters to which a message and each piece of metadata are cut.
    private static let longest = 1_000
    /// The largest number of pieces of metadata of a record.
    private static let mostMetadata = 16

    private let state = Mutex(State())

    public init() {}

    /// Adds a record, with the first 16 pieces of metadata in the order of their keys; `time` is in seconds since 1970-01-01 in UTC.
    func add(_ level: LogLevel, _ message: String, _ metadata: [String: String], at time: Double) {
        let kept = metadata.count <= Self.mostMetadata ? metadata
            : Dictionary(uniqueKeysWithValues: metadata.sorted { $0.key < $1.key }.prefix(Self.mostMetadata).map { ($0.key, $0.value) })
        state.withLock { state in
            state.number += 1
            if state.records.count == Self.room { state.records.removeFirst() }
            state.records.append(LogRecord(number: state.number, time: time, level: level, message: String(message.prefix(Self.longest)),
                                           metadata: kept.mapValues { String($0.prefix(Self.longest)) }))
        }
    }

    /// Returns the newest `count` records whose numbers are above `after` and below `before` and that are at least as severe as `level`,
    /// the oldest first.
    func records(after: Int = 0, before: Int = .max, from level: LogLevel = .trace, count: Int = room) -> [LogRecord] {
        state.withLock { Array($0.records.filter { $0.number > after && $0.number < before && $0.level >= level }.suffix(count)) }
    }
}

/// A log handler that passes each record to another handler, and adds it to a `RecentLog`.
public struct RecentLogHandler: LogHandler {
    private var handler: any LogHandler
    private let log: RecentLog

    public init(_ handler: any LogHandler, _ log: RecentLog) {
        self.handler = handler
        self.log = log
    }

    public var logLevel: Logger.Level {
        get { handler.logLevel }
        set { handler.logLevel = newValue }
    }

    public var metadata: Logger.Metadata {
        get { handler.metadata }
        set { handler.metadata = newValue }
    }

    public var metadataProvider: Logger.MetadataProvider? {
        get { handler.metadataProvider }
        set { handler.metadataProvider = newValue }
    }

    public subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { handler[metadataKey: key] }
        set { handler[metadataKey: key] = newValue }
    }

    public func log(event: LogEvent) {
        let metadata = handler.metadata.merging(event.metadata ?? [:]) { $1 }
        log.add(LogLevel(rawValue: event.level.rawValue) ?? .info, "\(event.message)", metadata.mapValues { "\($0)" }, at: SystemTime.now)
        handler.log(event: event)
    }
}
