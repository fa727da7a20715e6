import Calendar
import Escaping
import Experience
import FoundationEssentials
import Signals

/// Writes telemetry as text, a row a line: CSV (RFC 4180, with a header line) or JSON Lines.
public struct TelemetryText: Sendable {
    public enum Format: String, CaseIterable, Sendable { case csv, jsonl }

    private let format: Format
    let table: TelemetryTable
    private let namesSessions: Bool

    /// Prepares the text of a table. The last column is the journal's name. With `namesSessions` that column comes first, as it always does
    /// in rows of whole sessions.
    public init(_ format: Format, _ table: TelemetryTable, namesSessions: Bool = false) {
        self.format = format
        self.table = table
        self.namesSessions = namesSessions || table.topic == nil
    }

    /// The header line; empty where the format has none.
    public var heading: String { format == .csv ? CSV.line(names) : "" }

    private var names: [String] {
        var names: [String] = namesSessions ? ["session"] : []
        if table.topic == nil { names.append("end") }
        if table.saysWhen { names += TelemetryTable.whenColumns }
        names += table.columns.map(\.name)
        if let lastRows = table.lastRows { names += [lastRows.column] + TelemetryTable.endColumns }
        names.append(table.topic == nil ? Self.damaged : Self.behindDamage)
        if !namesSessions { names.append("session") }
        return names
    }

    /// The name of the column that says whether a journal is damaged. In a session's record, `damaged` is about the whole journal. In
    /// another row, `behindDamage` is about the lines above.
    private static let (damaged, behindDamage) = ("damaged", "after_damage")

    /// Returns a line for each row of `log`, which must have been read for this table.
    public func lines(_ log: TelemetryLog) -> String {
        guard table.topic != nil else {
            return log.record.map { line(row($0, log, [TelemetryValue(log.end?.rawValue)]) + [.flag(log.isDamaged)]) } ?? ""
        }
        return log.rows.enumerated().map { index, told in
            var row = row(told.announcement, log, table.saysWhen ? Self.moment(told) : [])
            if let lastRows = table.lastRows {
                row.append(log.isLeaving(at: log.first + index, within: lastRows.count).map { .flag($0) } ?? .unknown)
                row += Self.ending(log)
            }
            row.append(.flag(told.isBehindDamage))
            if !namesSessions { row.append(.word(log.name)) }
            return line(row)
        }.joined()
    }

    /// Returns the number of lines that `lines` makes.
    func rows(_ log: TelemetryLog) -> Int { table.topic == nil ? (log.record == nil ? 0 : 1) : log.rows.count }

    /// Returns the values of `TelemetryTable.endColumns`, which say how the session ended, who signed it, and its seed.
    private static func ending(_ log: TelemetryLog) -> [TelemetryValue] {
        [.word(log.end?.rawValue ?? "cut"), TelemetryValue(log.whole.station), .integer(Int(log.whole.seed))]
    }

    /// Returns the values of `TelemetryTable.whenColumns`: the time of `row` since the session's start, and its civil time and date.
    private static func moment(_ row: TelemetryLog.Row) -> [TelemetryValue] {
        [.number(row.at.rawValue), TelemetryValue(row.civilTime?.instant), TelemetryValue(row.civilTime?.date)]
    }

    private func row(_ announcement: Announcement, _ log: TelemetryLog, _ middle: [TelemetryValue]) -> [TelemetryValue] {
        (namesSessions ? [.word(log.name)] : []) + middle + table.columns.map { $0.value(of: announcement) }
    }

    private func line(_ row: [TelemetryValue]) -> String {
        switch format {
        case .csv: CSV.line(row.map(\.csv))
        case .jsonl: "{" + zip(names, row).map { "\"\($0)\":\($1.json)" }.joined(separator: ",") + "}\n"
        }
    }
}

extension TelemetryValue {
    fileprivate var csv: String {
        switch self {
        case .number(let number): "\(number)"
        case .integer(let integer): "\(integer)"
        case .flag(let flag): "\(flag)"
        case .word(let word): CSV.text(word)
        case .unknown: ""
        }
    }

    fileprivate var json: String {
        switch self {
        case .number, .integer, .flag: csv
        case .word(let word): (try? JSONEncoder().encode(word)).map { String(decoding: $0, as: UTF8.self) } ?? "null"
        case .unknown: "null"
        }
    }
}
