import Experience
import Glibc

/// A report of sessions as an SVG: histograms in two columns, and below them counts that grow, and curves.
struct StatisticsDrawing {
    private static let bins = 40
    /// The space between two histograms side by side; it contains the labels of the right one.
    private static let gap = 88.0
    private static let title = 50.0
    private static let row = Chart.heading + Chart.height + Chart.footing + 16
    /// The colours, by role, of the lines in a chart of counts that grow; in the order of the lines.
    private static let roles = ["short", "highlight", "chime", "theme", "tone", "soft"]
    /// The approximate width of a letter in a legend, in pixels.
    private static let letter = 7.0

    let report: StatisticsReport
    let title: String

    /// Returns the picture. If `style` is nil, the picture follows the viewer's preference for light or dark.
    func svg(style: PictureStyle? = nil) -> String {
        let histogramRows = (report.quantities.count + 1) / 2
        let histograms = report.quantities.enumerated().flatMap { index, quantity in
            histogram(quantity, column: index % 2, row: index / 2)
        }
        let growths = report.growths.enumerated().flatMap { index, growth in steps(growth, row: histogramRows + index) }
        let curves = report.curves.enumerated().flatMap { index, curve in
            points(curve, row: histogramRows + report.growths.count + index)
        }
        let heading = svgLabel(SessionDrawing.left, 34, title, "ink", size: 18, bold: true)
        let rows = histogramRows + report.growths.count + report.curves.count
        return SessionDrawing.document([heading] + histograms + growths + curves, height: Self.title + Double(rows) * Self.row + 8,
                                       style: style)
    }

    private func chart(column: Int = 0, row: Int, isWide: Bool, across: NumberAxis, upwards: NumberAxis) -> Chart {
        let narrow = (SessionDrawing.width - Self.gap) / 2
        return Chart(left: SessionDrawing.left + Double(column) * (narrow + Self.gap), top: Self.title + Double(row) * Self.row,
                     width: isWide ? SessionDrawing.width : narrow, across: across, upwards: upwards)
    }

    private func histogram(_ quantity: StatisticsReport.Quantity, column: Int, row: Int) -> [String] {
        let (limit, distribution) = (quantity.limit, quantity.distribution)
        let counts = distribution.counts(bins: Self.bins, limit: limit)
        let isCut = distribution.count > 0 && distribution.percentile(100) > limit
        let beyond = isCut ? "; the last bar has all beyond \(limit.fixed(limit < 10 ? 1 : 0)), too" : ""
        let chart = chart(
            column: column, row: row, isWide: false, across: NumberAxis(to: limit, quantity.title + beyond),
            upwards: NumberAxis(to: Double(counts.max() ?? 0), "how often", isRounded: true, isWhole: true))
        let width = chart.width / Double(Self.bins)
        let bars = counts.enumerated().filter { $1 > 0 }.map { bin, count in
            // A bar is at least one pixel high, so that even a small count can be seen.
            let height = max(1, chart.bottom - chart.y(Double(count)))
            let (from, to) = (limit * Double(bin) / Double(Self.bins), limit * Double(bin + 1) / Double(Self.bins))
            return svgBox(chart.left + Double(bin) * width, chart.bottom - height, width - 1, height, "short",
                          title: "\(from.fixed(quantity.digits)) to \(to.fixed(quantity.digits)): \(count)")
        }
        let marks = quantity.marks.map { svgLine(chart.x($0), chart.top, chart.x($0), chart.bottom, "gap", width: 1.5, dashes: "4 3") }
        return chart.frame(quantity.caption) + bars + marks
    }

    private func steps(_ growth: StatisticsReport.Growth, row: Int) -> [String] {
        let most = growth.counts.map(\.steps.count).max() ?? 0
        let chart = chart(row: row, isWide: true, across: NumberAxis(to: Double(growth.end), growth.x, isWhole: true),
                          upwards: NumberAxis(to: Double(most), growth.y, isRounded: true, isWhole: true))
        let roles = growth.counts.indices.map { Self.roles[$0 % Self.roles.count] }
        let lines = zip(growth.counts, roles).map { count, role in
            let steps = count.steps.enumerated().flatMap { [($1, $0), ($1, $0 + 1)] }
            let points = [(0, 0)] + steps + [(growth.end, count.steps.count)]
            return svgPath(points.map { (chart.x(Double($0.0)), chart.y(Double($0.1))) }, role, width: 2.5)
        }
        let start = chart.left + 12
        var x = start
        let legend = zip(growth.counts, roles).flatMap { count, role in
            let words = "\(count.name): \(count.steps.count)"
            let element = [svgLine(x, chart.top + 14, x + 18, chart.top + 14, role, width: 2.5),
                           svgLabel(x + 24, chart.top + 18, words, "ink")]
            x += 24 + Self.letter * Double(words.count) + 20
            return element
        }
        // The legend is above the lines, on a background, so that no line crosses its words.
        let ground = svgBox(start - 6, chart.top + 4, x - start - 8, 20, "page", opacity: 0.9, radius: 3)
        return chart.frame(growth.caption) + lines + [ground] + legend
    }

    private func points(_ curve: StatisticsReport.Curve, row: Int) -> [String] {
        let chart = chart(row: row, isWide: true, across: NumberAxis(to: curve.points.map(\.x).max() ?? 0, curve.x, isRounded: true),
                          upwards: NumberAxis(to: curve.points.map(\.y).max() ?? 0, curve.y, isRounded: true))
        let positions = curve.points.map { (x: chart.x($0.x), y: chart.y($0.y)) }
        // Points at the same place share one label.
        let groups = Dictionary(grouping: zip(positions, curve.points).map { (position: $0, name: $1.name) }) { "\($0.position)" }.values
        let dots = groups.sorted { $0[0].position < $1[0].position }.flatMap { group in
            let (x, y) = group[0].position
            // The label is above the point where it would otherwise be among the labels of the axis.
            return [svgBox(x - 3, y - 3, 6, 6, "short", radius: 3),
                    svgLabel(x + 6, y > chart.bottom - 20 ? y - 7 : y + 15, group.map(\.name).joined(separator: ", "), "ink")]
        }
        return chart.frame(curve.caption) + [svgPath(positions, "short", width: 2.5)] + dots
    }
}

/// A chart area with two axes that start at 0. Each axis has round ticks and a title that says what it counts.
struct Chart {
    let left: Double
    let top: Double
    let width: Double
    let height: Double
    let across: NumberAxis
    let upwards: NumberAxis

    /// The height of a chart's area where a picture has several charts, in pixels.
    static let height = 170.0
    /// The height of the heading above the area.
    static let heading = 30.0
    /// The height of the tick labels and the axis title below the area.
    static let footing = 48.0

    /// Places the chart; `top` is the upper edge of its heading.
    init(left: Double, top: Double, width: Double, across: NumberAxis, upwards: NumberAxis, height: Double = Chart.height) {
        self.left = left
        self.top = top + Self.heading
        self.width = width
        self.height = height
        self.across = across
        self.upwards = upwards
    }

    var bottom: Double { top + height }

    func x(_ value: Double) -> Double { left + min(1, max(0, value / across.end)) * width }

    func y(_ value: Double) -> Double { bottom - min(1, max(0, value / upwards.end)) * height }

    /// Returns the empty area of the chart, with its heading and its axes.
    func frame(_ heading: String) -> [String] {
        [svgLabel(left, top - 11, heading, "ink", bold: true), svgBox(left, top, width, height, "panel")]
            + upwards.ticks.flatMap { tick in
                [svgLine(left, y(tick), left + width, y(tick), "grid"),
                 svgLabel(left - 8, y(tick) + 4, upwards.label(tick), "ink", anchor: "end")]
            }
            + across.ticks.flatMap { tick in
                [svgLine(x(tick), bottom, x(tick), bottom + 5, "soft"),
                 svgLabel(x(tick), bottom + 19, across.label(tick), "ink", anchor: "middle")]
            }
            + [svgLabel(left + width / 2, bottom + 37, across.title, "soft", anchor: "middle"),
               svgLabel(left + width, top - 11, "upwards: " + upwards.title, "soft", anchor: "end")]
    }
}

/// An axis of numbers that starts at 0.
struct NumberAxis: Equatable {
    /// The number at the end of the axis, more than 0.
    let end: Double
    /// The distance between two ticks: 1, 2 or 5 times a power of ten.
    let step: Double
    /// The axis title: what the axis counts, with its unit.
    let title: String

    /// The largest number of ticks, not counting the tick at 0.
    private static let mostTicks = 6.0

    /// Makes an axis. With `isRounded` it ends at a tick, which is `end` or above; with `isWhole` all ticks are whole numbers.
    init(to end: Double, _ title: String, isRounded: Bool = false, isWhole: Bool = false) {
        let wanted = max(end, isWhole ? 1 : 1e-6) / Self.mostTicks
        let power = pow(10, floor(log10(wanted)))
        let step = [1, 2, 5].map { $0 * power }.first { $0 >= wanted * (1 - 1e-9) } ?? 10 * power
        self.step = isWhole ? max(1, step) : step
        self.end = isRounded ? (max(end, self.step) / self.step - 1e-9).rounded(.up) * self.step : max(end, 1e-6)
        self.title = title
    }

    var ticks: [Double] { (0...Int(end / step + 1e-9)).map { Double($0) * step } }

    /// Formats a number with as many digits as the ticks need.
    func label(_ value: Double) -> String { value.fixed(step < 1 ? Int((-log10(step) - 1e-9).rounded(.up)) : 0) }
}
