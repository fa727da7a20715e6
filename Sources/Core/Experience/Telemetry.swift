import Signals

/// Declares a table of telemetry over the runs of a piece.
public struct TelemetryTable: Sendable {
    /// The table's name, for instance `scrolls`.
    public let name: String
    /// The topic whose announcements make the rows. nil for a table that has one row for each run, made from the run's record.
    public let topic: String?
    public let columns: [TelemetryColumn]
    /// Whether each row begins with its time, in three columns: `seconds` since the session's start, `timestamp` since 1970-01-01 in UTC,
    /// and `date`, the local day. This is for pieces with days of their own, whose announcements contain no time.
    public let saysWhen: Bool
    /// The column that marks the last rows of each run; nil for a table without such a column.
    public let lastRows: LastRows?

    /// A column that says whether the visitor left soon after the row. It is true for the last rows of a run that ended because the visitor
    /// had gone. It is false for all rows before the last ones of a visit. It is unknown where nobody knows how long the visitor would have
    /// stayed. The columns `endColumns` follow it.
    public struct LastRows: Sendable {
        public let column: String
        public let count: Int
        /// The topic of the announcement by which a visit begins anew in the middle of a run; nil where visits never begin so. Nobody knows
        /// how long the visitor before it would have stayed.
        public let reset: String?

        public init(column: String, count: Int, reset: String? = nil) {
            self.column = column
            self.count = count
            self.reset = reset
        }
    }

    /// The first columns of a table whose `saysWhen` is true.
    public static let whenColumns = ["seconds", "timestamp", "date"]

    /// The columns that follow the column of `lastRows`: how the session ended (`idle`, `request`, `shutdown`, `rollover`, or `cut` where
    /// its journal has no end), the box that signed its journal, and the run's seed.
    public static let endColumns = ["ended", "station", "run"]

    /// Describes the table's rows and columns in a sentence, for instance `a row for each scroll: card_index, velocity.`
    public var words: String {
        let marked = lastRows.map {
            ", and \($0.column), which is true for the last \($0.count) rows of a session that ended because the visitor had gone, "
                + Self.endColumns.joined(separator: ", ")
        } ?? ""
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

    /// Declares a column. `read` gets the announcements of one topic, which are all of one type, and returns the cell for each.
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
