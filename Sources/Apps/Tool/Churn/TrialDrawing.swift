import Experience
import Offline

/// The results of trying models, as an SVG. The upper part shows what other thresholds of each model would lead to; the lower part shows
/// how much longer visits become.
struct TrialDrawing {
    /// The colour and the dashes of each model, in their order. Models differ in both, so that nobody needs colours to tell them apart.
    private static let styles: [(role: String, dashes: String?)] = [
        ("short", nil), ("mark", "8 4"), ("highlight", "2 4"), ("theme", "12 4 2 4"), ("tone", "5 5"), ("chime", "1 6"),
    ]
    private static let title = 50.0
    private static let height = 360.0
    /// The height of one model's row in the lower part.
    private static let row = 34.0
    /// The approximate width of a letter, in pixels.
    private static let letter = 7.0
    /// The largest acceptable number of steps in forty moments at which visitors like being there. With more, they are disturbed too often.
    private static let most = 1.0

    let report: TrialReport

    /// Returns the picture. Where `style` is nil, the viewer's system chooses between dark and light.
    func svg(style: PictureStyle? = nil) -> String {
        let chart = Chart(left: SessionDrawing.left, top: Self.title, width: SessionDrawing.width, across: across,
                          upwards: NumberAxis(to: 100, "felt before leaving, %"), height: Self.height)
        let effects = chart.bottom + Chart.footing + 16
        let bottom = effects + Chart.heading + Double(report.models.count) * Self.row + Chart.footing
        let title = svgLabel(SessionDrawing.left, 34, report.title, "ink", size: 18, bold: true)
        return SessionDrawing.document([title] + tradeOff(chart) + effect(below: effects), height: bottom + 8, style: style)
    }

    private func style(_ index: Int) -> (role: String, dashes: String?) { Self.styles[index % Self.styles.count] }

    /// The horizontal axis: how often visitors who like being there are disturbed. It reaches beyond the dots of all models, and beyond the
    /// limit `most`.
    private var across: NumberAxis {
        let dots = report.models.compactMap { $0.figures.disturbed?.value }
        return NumberAxis(to: max(Self.most * 1.5, (dots.max() ?? 0) * 1.25),
                          "interventions on 40 moments at which somebody likes being there", isRounded: true)
    }

    // MARK: The trade-off

    private func tradeOff(_ chart: Chart) -> [String] {
        let limit = svgLine(chart.x(Self.most), chart.top, chart.x(Self.most), chart.bottom, "gap", width: 1.5, dashes: "4 3")
        let curves = report.models.enumerated().map { index, model in
            let shown = model.tradeOff.prefix { $0.disturbed <= chart.across.end }
            return svgPath(shown.map { (chart.x($0.disturbed), chart.y(100 * $0.felt)) }, style(index).role, width: 2.5,
                           dashes: style(index).dashes)
        }
        let dots = report.models.enumerated().flatMap { dot($1, style($0).role, chart) }
        let word = svgLabel(chart.x(Self.most) + 6, chart.top + 16, "one in 40", "gap")
        return chart.frame("Felt before leaving, and disturbed while engaged, by the threshold; a dot is where a model stands")
            + [limit, word] + curves + dots + legend(chart)
    }

    /// Returns the drawing of a model's result with its present threshold: a dot, with lines for the confidence intervals.
    private func dot(_ model: TrialReport.Result, _ role: String, _ chart: Chart) -> [String] {
        guard let across = model.figures.disturbed, let up = model.figures.felt else { return [] }
        let (x, y) = (chart.x(across.value), chart.y(100 * up.value))
        var whiskers: [String] = []
        if let low = up.low, let high = up.high {
            whiskers.append(svgLine(x, chart.y(100 * low), x, chart.y(100 * high), role, width: 1.5))
        }
        if let low = across.low, let high = across.high { whiskers.append(svgLine(chart.x(low), y, chart.x(high), y, role, width: 1.5)) }
        let words = "\(model.name): \((100 * up.value).fixed(1)) % felt, \(across.value.fixed(3)) in 40"
        // Curves rise to the right: above and to the left there is none, nor below and to the right.
        let hasRoom = x - 10 - Self.letter * Double(model.name.count) > chart.left
        return whiskers + [svgBox(x - 6, y - 6, 12, 12, "panel", radius: 6), svgBox(x - 5, y - 5, 10, 10, role, radius: 5, title: words),
                           svgLabel(hasRoom ? x - 9 : x + 9, hasRoom ? y - 8 : y + 18, model.name, role, anchor: hasRoom ? "end" : "start")]
    }

    /// Returns the legend of models and their lines. It is in the lower right corner, where no curve of a good model comes.
    private func legend(_ chart: Chart) -> [String] {
        let widest = report.models.map(\.name.count).max() ?? 0
        let width = 62 + Self.letter * Double(widest)
        let (left, top) = (chart.left + chart.width - width - 12, chart.bottom - 14 - 20 * Double(report.models.count))
        let ground = svgBox(left - 10, top - 4, width + 10, 8 + 20 * Double(report.models.count), "page", opacity: 0.9, radius: 3)
        return [ground] + report.models.enumerated().flatMap { index, model in
            let y = top + 10 + 20 * Double(index)
            return [svgPath([(left, y), (left + 40, y)], style(index).role, width: 2.5, dashes: style(index).dashes),
                    svgLabel(left + 50, y + 4, model.name, "ink")]
        }
    }

    // MARK: The effect

    private func effect(below top: Double) -> [String] {
        let shown = report.models.map { $0.effect.moments }
        let ends = shown.compactMap(\.self).flatMap { [$0.low, $0.high, $0.value].compactMap(\.self) }
        let (low, high) = (min(0, ends.min() ?? 0), max(1, ends.max() ?? 0))
        let (left, width) = (SessionDrawing.left, SessionDrawing.width)
        // With room for the figures at the right.
        func x(_ value: Double) -> Double { left + 12 + (value - low) / (high - low) * (width - 220) }
        let area = top + Chart.heading
        let height = Double(report.models.count) * Self.row
        let frame = [svgLabel(left, area - 11, "How many moments longer visits are than with nothing", "ink", bold: true),
                     svgBox(left, area, width, height, "panel"), svgLine(x(0), area, x(0), area + height, "soft"),
                     svgLabel(x(0), area + height + 19, "0", "ink", anchor: "middle")]
        return frame + report.models.enumerated().flatMap { index, model -> [String] in
            let y = area + (Double(index) + 0.5) * Self.row
            let name = svgLabel(left - 8, y + 4, model.name, "ink", anchor: "end")
            guard let estimate = shown[index] else { return [name] }
            var whisker: [String] = []
            if let low = estimate.low, let high = estimate.high {
                whisker = [svgLine(x(low), y, x(high), y, style(index).role, width: 2.5)]
            }
            let words = EstimateText.words(estimate, digits: 2, isSigned: true)
            return [name] + whisker + [svgBox(x(estimate.value) - 5, y - 5, 10, 10, style(index).role, radius: 5),
                                       svgLabel(left + width - 12, y + 4, words, "ink", anchor: "end")]
        }
    }
}
