import ColorScroller
import Offline
import Signals

/// A session of ColorScroller as an SVG: four histograms, and what was unlocked when.
struct StatisticsDrawing {
    private static let bins = 40
    private static let panel = (width: 520, height: 170)
    private static let margin = 60
    private static let colors: [Rarity: String] = [.common: "#4a7ebb", .rare: "#8e44ad", .special: "#d98200"]

    let statistics: SessionStatistics
    let title: String

    var svg: String {
        let width = 2 * Self.panel.width + 3 * Self.margin
        let height = 3 * (Self.panel.height + Self.margin) + Self.margin
        return (["<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" "
                    + "font-family=\"sans-serif\" font-size=\"12\">",
                 "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>", svgText(Self.margin, 30, escaped(title), size: 16)]
            + histogram("P(churn); at 0.55 and 0.70 the machine steps in", statistics.churn, limit: 1, marks: [0.55, 0.70], at: (0, 0))
            + histogram("cards from one unlock to the next", statistics.drought, limit: 60, at: (1, 0))
            + histogram("seconds on a card", statistics.dwell, limit: 6, at: (0, 1))
            + histogram("velocity in screen heights per second", statistics.velocity, limit: 12, at: (1, 1))
            + unlocks + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private func histogram(_ name: String, _ distribution: Distribution, limit: Double, marks: [Double] = [],
                           at place: (column: Int, row: Int)) -> [String] {
        let (left, top) = corner(place.column, place.row)
        let counts = distribution.counts(bins: Self.bins, limit: limit)
        let most = max(1, counts.max() ?? 1)
        let bars = counts.enumerated().filter { $1 > 0 }.map { bin, count in
            let height = max(1, count * Self.panel.height / most)
            return "<rect x=\"\(left + bin * Self.panel.width / Self.bins)\" y=\"\(top + Self.panel.height - height)\" "
                + "width=\"\(Self.panel.width / Self.bins - 1)\" height=\"\(height)\" fill=\"#4a7ebb\"/>"
        }
        let lines = marks.map { mark in
            let x = left + Int(mark / limit * Double(Self.panel.width))
            return "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"\(top)\" y2=\"\(top + Self.panel.height)\" "
                + "stroke=\"#b3243b\" stroke-dasharray=\"3 3\"/>"
        }
        return frame(left, top, Self.panel.width, name) + bars + lines + [
            svgText(left, top + Self.panel.height + 16, "0"),
            svgText(left + Self.panel.width, top + Self.panel.height + 16, Report.fixed(limit, 0) + (limit > 1 ? " and more" : ""),
                 anchor: "end"),
            svgText(left - 6, top + 10, "\(most)", anchor: "end"),
        ]
    }

    /// How many skins of each rarity had been unlocked by which card.
    private var unlocks: [String] {
        let (left, top) = corner(0, 2)
        let width = 2 * Self.panel.width + Self.margin
        let cards = max(1, statistics.last?.blocksViewed ?? 1)
        let counts = Dictionary(grouping: statistics.unlocks, by: \.rarity)
        let most = max(1, counts.values.map(\.count).max() ?? 1)
        func x(_ card: Int) -> Int { left + card * width / cards }
        func y(_ count: Int) -> Int { top + Self.panel.height - count * Self.panel.height / most }
        let lines = Rarity.allCases.enumerated().flatMap { place, rarity in
            let unlocks = counts[rarity] ?? []
            let steps = unlocks.enumerated().flatMap { [($1.blocksViewed, $0), ($1.blocksViewed, $0 + 1)] }
            let points = [(0, 0)] + steps + [(cards, unlocks.count)]
            let path = points.map { "\(x($0.0)),\(y($0.1))" }.joined(separator: " ")
            let color = Self.colors[rarity] ?? "#444"
            return ["<polyline fill=\"none\" stroke=\"\(color)\" stroke-width=\"2\" points=\"\(path)\"/>",
                    svgText(left + 8 + 90 * place, top + 16, rarity.rawValue, color: color)]
        }
        return frame(left, top, width, "skins unlocked, by cards viewed") + lines + [
            svgText(left, top + Self.panel.height + 16, "0"),
            svgText(left + width, top + Self.panel.height + 16, "\(cards)", anchor: "end"),
            svgText(left - 6, top + 10, "\(most)", anchor: "end"),
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
