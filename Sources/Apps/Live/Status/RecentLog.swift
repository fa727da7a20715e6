import Logging
import Synchronization
import Wire

/// The newest records of the log, for those who ask the daemon instead of the system's journal. Thread: any.
public final class RecentLog: Sendable {
    private struct State {
        /// The oldest first.
        var records: [LogRecord] = []
        var number = 0
    }

    /// Records that are kept.
    static let room = 256
    /// The most characters of a message, and of each piece of metadata.
    private static let longest = 1_000

    private let state = Mutex(State())

    public init() {}

    /// `time` in seconds since 1970-01-01 in UTC.
    func add(_ level: LogLevel, _ message: String, _ metadata: [String: String], at time: Double) {
        state.withLock { state in
            state.number += 1
            if state.records.count == Self.room { state.records.removeFirst() }
            state.records.append(LogRecord(number: state.number, time: time, level: level, message: String(message.prefix(Self.longest)),
                                           metadata: metadata.mapValues { String($0.prefix(Self.longest)) }))
        }
    }

    /// The newest `count` of those after `number` that are as severe as `level`.
    func records(after number: Int, from level: LogLevel, count: Int) -> [LogRecord] {
        state.withLock { Array($0.records.filter { $0.number > number && $0.level >= level }.suffix(count)) }
    }
}

/// Logs as another handler does, and notes each record.
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
