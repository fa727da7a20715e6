import Escaping
import Units

/// Sessions as a table for people: a line with what the columns are, and one for each session.
struct SessionTable {
    let lines: [String]

    private static let heading = ["started (UTC)", "piece", "theme", "length", "size", "end", "journal"]
    /// Where there is nothing to say.
    private static let nothing = "-"
    /// Columns of numbers, which end at one place: the length and the size.
    private static let numbers = 3...4

    /// Without sessions there is no line at all.
    init(_ entries: [SessionEntry]) {
        let rows = entries.isEmpty ? [] : [Self.heading] + entries.map(Self.row)
        let widths = Self.heading.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        lines = rows.map { row in
            row.enumerated().map { column, cell in
                if column == row.count - 1 { return cell }
                return Self.numbers.contains(column) ? cell.alignedRight(to: widths[column]) : cell.padded(to: widths[column])
            }.joined(separator: "  ")
        }
    }

    private static func row(_ entry: SessionEntry) -> [String] {
        guard let session = entry.session else {
            return [nothing, nothing, nothing, nothing, entry.size, nothing, "\(entry.journal)  (\(entry.objection))"]
        }
        let (header, notes) = (session.header, entry.notes)
        return [plain(header.started), header.experience.printable, header.theme.name.printable, Seconds(session.seconds).clock(1),
                entry.size, session.end?.rawValue ?? nothing, entry.journal + (notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))")]
    }

    /// `2026-11-23T13:00:05.123Z` as `2026-11-23 13:00:05`; another text as it is.
    private static func plain(_ started: String) -> String {
        guard let time = started.wholeMatch(of: /([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}:[0-9]{2}:[0-9]{2})(\.[0-9]+)?Z/) else {
            return started.isEmpty ? nothing : started.printable
        }
        return "\(time.1) \(time.2)"
    }
}
