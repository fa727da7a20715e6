/// How severe a log record is, from the least.
public enum LogLevel: String, CaseIterable, Codable, Comparable, Sendable {
    case trace, debug, info, notice, warning, error, critical

    public static func < (a: LogLevel, b: LogLevel) -> Bool {
        (allCases.firstIndex(of: a) ?? 0) < (allCases.firstIndex(of: b) ?? 0)
    }
}

/// A record of the daemon's log.
public struct LogRecord: Codable, Equatable, Sendable {
    /// From 1, in the order in which they were logged.
    public var number: Int
    /// Seconds since 1970-01-01 in UTC.
    public var time: Double
    public var level: LogLevel
    public var message: String
    public var metadata: [String: String]

    public init(number: Int, time: Double, level: LogLevel, message: String, metadata: [String: String]) {
        self.number = number
        self.time = time
        self.level = level
        self.message = message
        self.metadata = metadata
    }
}

/// The answer to `log.list`.
public struct LogAnswer: Codable, Equatable, Sendable {
    /// The oldest first.
    public var records: [LogRecord]

    public init(records: [LogRecord]) { self.records = records }
}
