import ArgumentParser
import Escaping
import Experience
import SystemPackage

/// The options for a picture of statistics.
struct StatisticsFile: ParsableArguments {
    @Option(help: "Also draw it, into this file, .svg or .png.", completion: .file(extensions: PictureFormat.allCases.map(\.rawValue)))
    var picture: FileArgument?

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    func validate() throws {
        if picture?.isStandardStream == true { throw ValidationError("--picture: expected a file's name, found \"-\"") }
        _ = try PictureFormat(of: picture, option: "--picture")
    }

    /// Throws where a picture is requested and the piece has no statistics.
    func check(_ piece: Declaration) throws {
        guard picture == nil || piece.statistics != nil else {
            throw failure("--picture: expected a piece with statistics, found \(piece.name)", .validationFailure)
        }
    }

    /// Draws the report if a picture is requested. `journal` is the journal's file, which the picture must not overwrite.
    func draw(_ report: StatisticsReport?, title: String, beside journal: FilePath) throws {
        guard let picture, let report else { return }
        guard picture.path != journal else { throw failure("--picture: \(picture) is the journal's file", .validationFailure) }
        do {
            let format = try PictureFormat(of: picture, option: "--picture")
            let svg = StatisticsDrawing(report: report, title: title).svg(style: format.style(nil))
            try create(picture.path, from: journal, replaces: force, advice: "") { try format.write(svg, to: $0) }
        } catch let errno as Errno {
            throw failure("\(picture): \(errno)", Exit.inputOutput)
        }
    }
}

/// A report of sessions as lines and tables for people.
struct StatisticsText {
    let report: StatisticsReport
    /// The name of the journal, or of what else the report is about.
    let name: String

    var lines: [String] {
        var lines = [name]
        lines += report.lines.map { "  " + ($0.title + " ").padded(to: 15) + $0.text }
        for table in report.tables {
            lines += ["", row("", table.columns)]
            lines += table.rows.map { row($0.title, $0.cells) }
        }
        if !report.quantities.isEmpty { lines += ["", row("", ["count", "mean", "5 %", "median", "95 %", "most"])] }
        lines += report.quantities.map { row($0) }
        return lines
    }

    private func row(_ quantity: StatisticsReport.Quantity) -> String {
        let distribution = quantity.distribution
        guard distribution.count > 0 else { return row(quantity.title, ["0"]) }
        let values = [distribution.mean] + [5, 50, 95, 100].map { distribution.percentile($0) }
        return row(quantity.title, ["\(distribution.count)"] + values.map { $0.fixed(quantity.digits) })
    }

    private func row(_ title: String, _ cells: [String]) -> String {
        let line = "  " + (title + " ").padded(to: 20) + cells.map { (" " + $0).alignedRight(to: 14) }.joined()
        return line.last == " " ? String(line[...(line.lastIndex { $0 != " " } ?? line.startIndex)]) : line
    }
}

/// A report of sessions as a JSON object for scripts. It has the same titles as the report for people.
struct StatisticsObject: Encodable {
    private struct Line: Encodable {
        var title: String
        var text: String
    }

    private struct Table: Encodable {
        struct Row: Encodable {
            var title: String
            var cells: [String]
        }

        var columns: [String]
        var rows: [Row]
    }

    /// The statistics of a quantity. All but `title` and `count` are nil where nothing was counted.
    private struct Quantity: Encodable {
        var title: String
        var count: Int
        var mean: Double?
        var percentile5: Double?
        var median: Double?
        var percentile95: Double?
        var most: Double?
    }

    private let name: String
    private let lines: [Line]
    private let tables: [Table]
    private let quantities: [Quantity]

    /// Makes the object; `name` is the name of the journal.
    init(report: StatisticsReport, name: String) {
        self.name = name
        lines = report.lines.map { Line(title: $0.title, text: $0.text) }
        tables = report.tables.map { Table(columns: $0.columns, rows: $0.rows.map { Table.Row(title: $0.title, cells: $0.cells) }) }
        quantities = report.quantities.map { quantity in
            let values = quantity.distribution
            guard values.count > 0 else { return Quantity(title: quantity.title, count: 0) }
            // Values are rounded to the digits that are significant for the quantity.
            func known(_ value: Double) -> Double? { Double(value.fixed(quantity.digits)) }
            return Quantity(title: quantity.title, count: values.count, mean: known(values.mean), percentile5: known(values.percentile(5)),
                            median: known(values.percentile(50)), percentile95: known(values.percentile(95)),
                            most: known(values.percentile(100)))
        }
    }
}
