import Escaping
import Units

/// Sessions as a table for people: a line with what the columns are, and one for each session.
struct SessionTable {
    let lines: [String]

    private static let heading = ["started", "piece", "theme", "length", "size", "end", "journal"]
    /// Where there is nothing to say.
    private static let nothing = "-"
    /// Columns of numbers, which end at one place: the length and the size.
    private static let numbers = 3...4

    /// Without sessions there is no line at all. `time` writes an instant, seconds since 1970-01-01 in UTC.
    init(_ entries: [SessionEntry], time: (Int) -> String = { LocalTimeText.format($0, "%Y-%m-%d %H:%M:%S") }) {
        let rows = entries.isEmpty ? [] : [Self.heading] + entries.map { Self.row($0, time) }
        let widths = Self.heading.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        lines = rows.map { row in
            row.enumerated().map { column, cell in
                if column == row.count - 1 { return cell }
                return Self.numbers.contains(column) ? cell.alignedRight(to: widths[column]) : cell.padded(to: widths[column])
            }.joined(separator: "  ")
        }
    }

    private static func row(_ entry: SessionEntry, _ time: (Int) -> String) -> [String] {
        guard let session = entry.session else {
            return [nothing, nothing, nothing, nothing, entry.size, nothing, "\(entry.journal)  (\(entry.objection))"]
        }
        let (header, notes) = (session.header, entry.notes)
        // Another text is shown as it is.
        let started = SessionStart(header.started).map { time($0.instant) } ?? (header.started.isEmpty ? nothing : header.started.printable)
        return [started, header.experience.printable, header.theme.name.printable, Seconds(session.seconds).clock(1),
                entry.size, session.end?.rawValue ?? nothing, entry.journal + (notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))")]
    }
}
