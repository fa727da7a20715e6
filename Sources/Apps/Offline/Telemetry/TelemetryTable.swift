import FoundationEssentials
import Signals

/// Telemetry as text, a record a line: CSV (RFC 4180, with a header line) or JSON Lines.
public struct TelemetryTable: Sendable {
    public enum Format: String, CaseIterable, Sendable { case csv, jsonl }

    public enum Rows: Sendable { case scrolls, sessions }

    private let format: Format
    private let rows: Rows
    private let namesSessions: Bool

    /// `namesSessions` puts a column before those of scrolls that says whose they are: the journal's name, as sessions have it.
    public init(_ format: Format, _ rows: Rows, namesSessions: Bool = false) {
        self.format = format
        self.rows = rows
        self.namesSessions = namesSessions
    }

    /// The first line; empty where there is none.
    public var heading: String {
        guard format == .csv else { return "" }
        let names = switch rows {
        case .scrolls: scrollColumns("").map(\.name)
        case .sessions: Self.sessionColumns.map(\.name)
        }
        return names.joined(separator: ",") + "\r\n"
    }

    /// A line for each record.
    public func lines(_ log: TelemetryLog) -> String {
        switch rows {
        case .scrolls:
            let columns = scrollColumns(log.name)
            return log.scrolls.map { line($0, columns) }.joined()
        case .sessions:
            return log.session.map { line((log, $0), Self.sessionColumns) } ?? ""
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

    private enum Value {
        case number(Double)
        case integer(Int)
        case flag(Bool)
        case word(String)
        case unknown

        /// Quoted where RFC 4180 asks for it.
        var csv: String {
            switch self {
            case .number(let number): "\(number)"
            case .integer(let integer): "\(integer)"
            case .flag(let flag): "\(flag)"
            case .word(let word): word.contains { ",\"\r\n".contains($0) } ? "\"" + word.replacing("\"", with: "\"\"") + "\"" : word
            case .unknown: ""
            }
        }

        var json: String {
            switch self {
            case .number, .integer, .flag: csv
            case .word(let word): (try? JSONEncoder().encode(word)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
            case .unknown: "null"
            }
        }
    }

    private func scrollColumns(_ session: String) -> [Column<TelemetryLog.Scroll>] {
        (namesSessions ? [Column("session") { _ in .word(session) }] : []) + Self.scrollColumns
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
        Column("rarity_shown") { $0.record.rarityShown.map { .word($0.rawValue) } ?? .unknown },
        Column("p_churn") { .number($0.record.pChurn) },
        Column("churn") { $0.isChurn.map { .flag($0) } ?? .unknown },
    ]

    private static let sessionColumns: [Column<(log: TelemetryLog, record: SessionRecord)>] = [
        Column("session") { .word($0.log.name) },
        Column("end") { $0.log.end.map { .word($0.rawValue) } ?? .unknown },
        Column("timestamp") { .number($0.record.timestamp) },
        Column("session_length") { .number($0.record.sessionLength) },
        Column("active_scroll_seconds") { .number($0.record.activeScrollSeconds) },
        Column("blocks_viewed") { .integer($0.record.blocksViewed) },
        Column("unique_blocks_seen") { .integer($0.record.uniqueBlocksSeen) },
        Column("total_swipes") { .integer($0.record.totalSwipes) },
        Column("unlock_count") { .integer($0.record.unlockCount) },
        Column("interventions") { .integer($0.record.interventions) },
        Column("p_churn") { $0.record.pChurn.map { .number($0) } ?? .unknown },
    ]
}
