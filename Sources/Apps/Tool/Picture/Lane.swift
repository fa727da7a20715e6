/// A strip of a session's picture: a heading, and below it an area with an axis on its left.
struct Lane {
    let top: Double
    let height: Double
    /// The values at the lower and at the upper edge.
    let range: (low: Double, high: Double)
    let time: TimeAxis

    /// Of the heading, above the area.
    static let heading = 25.0

    init(below y: Double, height: Double, range: (low: Double, high: Double), time: TimeAxis) {
        top = y + Self.heading
        self.height = height
        self.range = range
        self.time = time
    }

    var bottom: Double { top + height }

    func y(_ value: Double) -> Double {
        bottom - (min(range.high, max(range.low, value)) - range.low) / (range.high - range.low) * height
    }

    /// The empty area, and its axis: `ticks` are values and what they are called.
    func frame(_ ticks: [(value: Double, label: String)]) -> [String] {
        [svgBox(time.left, top, time.width, height, "panel")]
            + time.ticks.map { svgLine(time.x($0.second), top, time.x($0.second), bottom, "grid") }
            + ticks.flatMap { tick in
                [svgLine(time.left, y(tick.value), time.left + time.width, y(tick.value), "grid"),
                 svgLabel(time.left - 8, y(tick.value) + 4, tick.label, "soft", anchor: "end", size: 11)]
            }
    }

    /// What the lane shows, with a sample of each line's colour.
    func legend(_ title: String, _ parts: [(words: String, role: String, width: Double)]) -> [String] {
        let y = top - 8
        var x = time.left + 7.2 * Double(title.count) + 14
        return [svgLabel(time.left, y, title, "ink", bold: true)] + parts.flatMap { part in
            let element = [svgLine(x, y - 4, x + 18, y - 4, part.role, width: part.width),
                           svgLabel(x + 24, y, part.words, "soft", size: 11)]
            x += 24 + 6.1 * Double(part.words.count) + 18
            return element
        }
    }
}
