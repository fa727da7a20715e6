import Fields
import Signals

/// What the tone is made of, as part of an SVG: a bar for each partial, as high as its level.
struct PartialsDrawing {
    /// In pixels, with its heading and its ratios.
    static let height = panel + 70
    private static let panel = 80
    /// Where a bar has no height, in dB.
    private static let floor = -60.0
    /// Of a bar, and from one ratio to the next at most, in pixels.
    private static let (bar, step) = (16.0, 70.0)

    private let partials: [TonePartial]
    private let top: Int
    private let left: Int
    private let width: Int

    /// `top`, `left` and `width` in pixels; the heading is above `top`.
    init(_ partials: [TonePartial], top: Int, left: Int, width: Int) {
        self.partials = partials
        self.top = top
        self.left = left
        self.width = width
    }

    /// Elements of an SVG.
    var shapes: [String] {
        let step = min(Self.step, Double(self.width) / Double(partials.map(\.ratio).max() ?? 1))
        let lines: [String] = [0.0, -20, -40].flatMap { level -> [String] in
            let y = Int(y(level))
            return ["<line x1=\"\(left)\" x2=\"\(left + self.width)\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"#ddd\"/>",
                    svgText(left - 8, y + 4, "\(Int(level)) dB", anchor: "end", color: "#888")]
        }
        let width = min(Self.bar, step * 0.7)
        let bars: [String] = partials.flatMap { partial -> [String] in
            let x = Double(left) + (Double(partial.ratio) - 0.5) * step
            let y = y(partial.level.rawValue)
            let height = max(1, Double(top + Self.panel) - y)
            return ["<rect x=\"\(svg(x - width / 2))\" y=\"\(svg(y))\" width=\"\(svg(width))\" height=\"\(svg(height))\" "
                        + "fill=\"#4a7ebb\"/>",
                    svgText(Int(x), Int(y) - 5, Fault.plain(partial.level.rawValue), anchor: "middle", isOutlined: true),
                    svgText(Int(x), top + Self.panel + 16, "\(partial.ratio)", anchor: "middle")]
        }
        return lines + [svgText(left, top - 18, "its partials: their level to the tone's, by their ratio")] + bars
    }

    private func y(_ level: Double) -> Double { Double(top) + min(1, max(0, level / Self.floor)) * Double(Self.panel) }
}
