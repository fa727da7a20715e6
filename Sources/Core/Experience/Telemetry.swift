import Signals

/// Declares a telemetry table of a piece's runs.
public struct TelemetryTable: Sendable {
    /// The name, for instance `scrolls`.
    public let name: String
    /// The topic whose announcements are the rows; nil where each run's record is a row.
    public let topic: String?
    public let columns: [TelemetryColumn]
    /// Whether each row begins with when it was told: the columns `seconds`, since the session's start, `timestamp`, since 1970-01-01 in
    /// UTC, and `date`, the local day. It is for pieces that count days of their own, whose announcements have no time.
    public let saysWhen: Bool
    /// The column that marks the last rows of a run; nil for none.
    public let lastRows: LastRows?

    /// A column that is true for the last rows of a run that ended as it should, and false for those before.
    public struct LastRows: Sendable {
        public let column: String
        public let count: Int

        public init(column: String, count: Int) {
            self.column = column
            self.count = count
        }
    }

    /// The columns that a table that `saysWhen` begins with.
    public static let whenColumns = ["seconds", "timestamp", "date"]

    /// The table's rows and columns in a sentence, for instance `a row for each scroll: card_index, velocity.`
    public var words: String {
        let marked = lastRows.map { ", and \($0.column), which is true for the last \($0.count) rows of a session" } ?? ""
        return "a row for each \(topic ?? "session"): "
            + ((saysWhen ? Self.whenColumns : []) + columns.map(\.name)).joined(separator: ", ") + marked + "."
    }

    public init(_ name: String, of topic: String?, saysWhen: Bool = false, columns: [TelemetryColumn], lastRows: LastRows? = nil) {
        precondition(topic != nil || !saysWhen, "a record is of all of a run")
        self.name = name
        self.topic = topic
        self.saysWhen = saysWhen
        self.columns = columns
        self.lastRows = lastRows
    }
}

public struct TelemetryColumn: Sendable {
    public let name: String
    private let read: @Sendable (any AnnouncementBody) -> TelemetryValue

    /// Declares a column. `read` is given the announcements of one topic, which are all of one type.
    public init<Body: AnnouncementBody>(_ name: String, _ read: @escaping @Sendable (Body) -> TelemetryValue) {
        self.name = name
        self.read = { body in (body as? Body).map(read) ?? .unknown }
    }

    public func value(of announcement: Announcement) -> TelemetryValue { read(announcement.body) }
}

public enum TelemetryValue: Equatable, Sendable {
    case number(Double)
    case integer(Int)
    case flag(Bool)
    case word(String)
    case unknown

    public init(_ number: Double?) { self = number.map { .number($0) } ?? .unknown }
    public init(_ word: String?) { self = word.map { .word($0) } ?? .unknown }
}
