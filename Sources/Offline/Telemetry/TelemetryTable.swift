import Signals

/// Telemetry as text, a record a line: CSV (RFC 4180, with a header line) or JSON Lines.
public struct TelemetryTable: Sendable {
    public enum Format: String, CaseIterable, Sendable { case csv, jsonl }

    public enum Rows: Sendable { case scrolls, sessions }

    private let format: Format
    private let rows: Rows

    public init(_ format: Format, _ rows: Rows) {
        self.format = format
        self.rows = rows
    }

    /// The first line; empty where there is none.
    public var heading: String {
        guard format == .csv else { return "" }
        let names = switch rows {
        case .scrolls: Self.scrollColumns.map(\.name)
        case .sessions: Self.sessionColumns.map(\.name)
        }
        return names.joined(separator: ",") + "\r\n"
    }

    /// A line for each record.
    public func lines(_ log: TelemetryLog) -> String {
        switch rows {
        case .scrolls: log.scrolls.map { line($0, Self.scrollColumns) }.joined()
        case .sessions: log.session.map { line($0, Self.sessionColumns) } ?? ""
        }
    }

    private func line<Record>(_ record: Record, _ columns: [Column<Record>]) -> String {
        switch format {
        case .csv: columns.map { $0.value(record).csv }.joined(separator: ",") + "\r\n"
        case .jsonl: "{" + columns.map { "\"\($0.name)\":\($0.value(record).json)" }.joined(separator: ",") + "}\n"
        }
    }

    private struct Column<Record>: Sendable {
        var name: String
        var value: @Sendable (Record) -> Value

        init(_ name: String, _ value: @escaping @Sendable (Record) -> Value) {
            self.name = name
            self.value = value
        }
    }

    /// Nothing in it needs quoting: words are those of enumerations.
    private enum Value {
        case number(Double)
        case integer(Int)
        case flag(Bool)
        case word(String?)

        var csv: String {
            switch self {
            case .number(let number): "\(number)"
            case .integer(let integer): "\(integer)"
            case .flag(let flag): "\(flag)"
            case .word(let word): word ?? ""
            }
        }

        var json: String {
            switch self {
            case .number, .integer, .flag: csv
            case .word(let word): word.map { "\"\($0)\"" } ?? "null"
            }
        }
    }

    private static let scrollColumns: [Column<TelemetryLog.Scroll>] = [
        Column("timestamp") { .number($0.record.timestamp) },
        Column("card_index") { .integer($0.record.cardIndex) },
        Column("blocks_viewed") { .integer($0.record.blocksViewed) },
        Column("unique_blocks_seen") { .integer($0.record.uniqueBlocksSeen) },
        Column("unlock_count") { .integer($0.record.unlockCount) },
        Column("reward_drought") { .integer($0.record.rewardDrought) },
        Column("velocity") { .number($0.record.velocity) },
        Column("velocity_trend") { .number($0.record.velocityTrend) },
        Column("session_length") { .number($0.record.sessionLength) },
        Column("active_scroll_seconds") { .number($0.record.activeScrollSeconds) },
        Column("time_of_day_bucket") { .integer($0.record.timeOfDayBucket) },
        Column("rarity_shown") { .word($0.record.rarityShown?.rawValue) },
        Column("p_churn") { .number($0.record.churn) },
        Column("churn") { .flag($0.isChurn) },
    ]

    private static let sessionColumns: [Column<SessionRecord>] = [
        Column("timestamp") { .number($0.timestamp) },
        Column("session_length") { .number($0.sessionLength) },
        Column("active_scroll_seconds") { .number($0.activeScrollSeconds) },
        Column("blocks_viewed") { .integer($0.blocksViewed) },
        Column("unique_blocks_seen") { .integer($0.uniqueBlocksSeen) },
        Column("total_swipes") { .integer($0.totalSwipes) },
        Column("unlock_count") { .integer($0.unlockCount) },
        Column("interventions") { .integer($0.interventions) },
        Column("p_churn") { $0.churn.map { .number($0) } ?? .word(nil) },
    ]
}
