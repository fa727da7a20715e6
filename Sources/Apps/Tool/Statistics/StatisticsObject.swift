import Experience

/// What sessions were like, as an object for scripts. Its titles are those that people read.
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

    /// All but `title` and `count` are nil where nothing was counted.
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

    /// `name` is the journal's.
    init(report: StatisticsReport, name: String) {
        self.name = name
        lines = report.lines.map { Line(title: $0.title, text: $0.text) }
        tables = report.tables.map { Table(columns: $0.columns, rows: $0.rows.map { Table.Row(title: $0.title, cells: $0.cells) }) }
        quantities = report.quantities.map { quantity in
            let values = quantity.distribution
            guard values.count > 0 else { return Quantity(title: quantity.title, count: 0) }
            // With the digits that are known.
            func known(_ value: Double) -> Double? { Double(value.fixed(quantity.digits)) }
            return Quantity(title: quantity.title, count: values.count, mean: known(values.mean), percentile5: known(values.percentile(5)),
                            median: known(values.percentile(50)), percentile95: known(values.percentile(95)),
                            most: known(values.percentile(100)))
        }
    }
}
