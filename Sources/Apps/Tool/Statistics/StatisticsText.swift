import Escaping
import Experience

/// What sessions were like, as lines and tables for people.
struct StatisticsText {
    let report: StatisticsReport
    /// Of the journal, or of what else was counted.
    let name: String

    var lines: [String] {
        [name] + report.lines.map { "  \(padded($0.title, to: 15))\($0.text)" }
            + report.tables.flatMap { table in ["", row("", table.columns)] + table.rows.map { row($0.title, $0.cells) } }
            + (report.quantities.isEmpty ? [] : ["", row("", ["count", "mean", "5 %", "median", "95 %", "most"])])
            + report.quantities.map { row($0) }
    }

    private func row(_ quantity: StatisticsReport.Quantity) -> String {
        let distribution = quantity.distribution
        guard distribution.count > 0 else { return row(quantity.title, ["0"]) }
        let values = [distribution.mean] + [5, 50, 95, 100].map { distribution.percentile($0) }
        return row(quantity.title, ["\(distribution.count)"] + values.map { $0.fixed(quantity.digits) })
    }

    private func row(_ title: String, _ cells: [String]) -> String {
        let line = "  " + padded(title, to: 20) + cells.map { padding($0, to: 14) + $0 }.joined()
        return line.last == " " ? String(line[...(line.lastIndex { $0 != " " } ?? line.startIndex)]) : line
    }

    private func padded(_ text: String, to width: Int) -> String { text + padding(text, to: width) }

    private func padding(_ text: String, to width: Int) -> String { String.spaces(max(1, width - text.columns)) }
}
