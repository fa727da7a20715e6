import Experience

/// What sessions were like, as an SVG: histograms, two side by side, and below them what grew.
struct StatisticsDrawing {
    private static let bins = 40
    private static let panel = (width: 520, height: 170)
    private static let margin = 60
    private static let barColor = "#4a7ebb"
    /// Of counts that grow, in their order.
    private static let colors = [barColor, "#8e44ad", "#d98200", "#2f8f5b", "#b3243b", "#444"]

    let report: StatisticsReport
    let title: String

    var svg: String {
        let histogramRows = (report.quantities.count + 1) / 2
        let width = 2 * Self.panel.width + 3 * Self.margin
        let height = (histogramRows + report.growths.count + report.curves.count) * (Self.panel.height + Self.margin) + Self.margin
        let heading = [
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>", svgText(Self.margin, 30, escaped(title), size: 16),
        ]
        let histograms = report.quantities.enumerated().flatMap { place, quantity in histogram(quantity, at: (place % 2, place / 2)) }
        let growths = report.growths.enumerated().flatMap { place, growth in steps(growth, row: histogramRows + place) }
        let curves = report.curves.enumerated().flatMap { place, curve in
            points(curve, row: histogramRows + report.growths.count + place)
        }
        return (heading + histograms + growths + curves + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private func histogram(_ quantity: StatisticsReport.Quantity, at place: (column: Int, row: Int)) -> [String] {
        let (left, top) = corner(place.column, place.row)
        let limit = quantity.limit
        let counts = quantity.distribution.counts(bins: Self.bins, limit: limit)
        let most = max(1, counts.max() ?? 1)
        let bars = counts.enumerated().filter { $1 > 0 }.map { bin, count in
            let height = max(1, count * Self.panel.height / most)
            return "<rect x=\"\(left + bin * Self.panel.width / Self.bins)\" y=\"\(top + Self.panel.height - height)\" "
                + "width=\"\(Self.panel.width / Self.bins - 1)\" height=\"\(height)\" fill=\"\(Self.barColor)\"/>"
        }
        let lines = quantity.marks.map { mark in
            let x = left + Int(mark / limit * Double(Self.panel.width))
            return "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"\(top)\" y2=\"\(top + Self.panel.height)\" "
                + "stroke=\"#b3243b\" stroke-dasharray=\"3 3\"/>"
        }
        return frame(left, top, Self.panel.width, quantity.caption) + bars + lines + [
            svgText(left, top + Self.panel.height + 16, "0"),
            svgText(left + Self.panel.width, top + Self.panel.height + 16, limit.fixed(0) + (limit > 1 ? " and more" : ""),
                    anchor: "end"),
            svgText(left - 6, top + 10, "\(most)", anchor: "end"),
        ]
    }

    private func steps(_ growth: StatisticsReport.Growth, row: Int) -> [String] {
        let (left, top) = corner(0, row)
        let width = 2 * Self.panel.width + Self.margin
        let end = max(1, growth.end)
        let most = max(1, growth.counts.map(\.steps.count).max() ?? 1)
        func x(_ place: Int) -> Int { left + place * width / end }
        func y(_ count: Int) -> Int { top + Self.panel.height - count * Self.panel.height / most }
        let lines = growth.counts.enumerated().flatMap { index, count in
            let steps = count.steps.enumerated().flatMap { [($1, $0), ($1, $0 + 1)] }
            let points = [(0, 0)] + steps + [(end, count.steps.count)]
            let path = points.map { "\(x($0.0)),\(y($0.1))" }.joined(separator: " ")
            let color = Self.colors[index % Self.colors.count]
            return ["<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\" points=\"\(path)\"/>",
                    svgText(left + 8 + 90 * index, top + 16, escaped(count.name), color: color)]
        }
        return frame(left, top, width, growth.caption) + lines + [
            svgText(left, top + Self.panel.height + 16, "0"),
            svgText(left + width, top + Self.panel.height + 16, "\(end)", anchor: "end"),
            svgText(left - 6, top + 10, "\(most)", anchor: "end"),
        ]
    }

    private func points(_ curve: StatisticsReport.Curve, row: Int) -> [String] {
        let (left, top) = corner(0, row)
        let width = 2 * Self.panel.width + Self.margin
        let end = (x: max(1e-9, curve.points.map(\.x).max() ?? 0), y: max(1e-9, curve.points.map(\.y).max() ?? 0))
        let places = curve.points.map { point in
            (x: left + Int(point.x / end.x * Double(width)),
             y: top + Self.panel.height - Int(point.y / end.y * Double(Self.panel.height)), name: point.name)
        }
        let path = places.map { "\($0.x),\($0.y)" }.joined(separator: " ")
        let dots = places.flatMap { place in
            ["<circle cx=\"\(place.x)\" cy=\"\(place.y)\" r=\"3\" fill=\"\(Self.barColor)\"/>",
             svgText(place.x + 5, place.y + 14, escaped(place.name))]
        }
        let line = "<polyline fill=\"none\" stroke=\"\(Self.barColor)\" stroke-width=\"2\" points=\"\(path)\"/>"
        return frame(left, top, width, curve.caption) + [line] + dots + [
            svgText(left, top + Self.panel.height + 16, "0"),
            svgText(left + width, top + Self.panel.height + 16, end.x.fixed(2), anchor: "end"),
            svgText(left - 6, top + 10, end.y.fixed(0), anchor: "end"),
        ]
    }

    private func corner(_ column: Int, _ row: Int) -> (left: Int, top: Int) {
        (Self.margin + column * (Self.panel.width + Self.margin), 70 + row * (Self.panel.height + Self.margin))
    }

    private func frame(_ left: Int, _ top: Int, _ width: Int, _ name: String) -> [String] {
        ["<rect x=\"\(left)\" y=\"\(top)\" width=\"\(width)\" height=\"\(Self.panel.height)\" fill=\"none\" stroke=\"#ddd\"/>",
         svgText(left, top - 8, escaped(name))]
    }
}
