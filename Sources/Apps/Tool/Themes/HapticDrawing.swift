import Experience
import Haptics
import Signals
import Units

/// A haptic pattern as an SVG with time to the right: above, how strong each event is, and below, how sharp.
struct HapticDrawing {
    private static let width = 900
    private static let left = 70
    private static let panelHeight = 160
    private static let tops = (intensity: 50, sharpness: 240)
    private static let height = 440

    let pattern: HapticPattern
    let title: String

    var svg: String {
        let shapes = HapticShape.shapes(of: pattern)
        let duration = max(0.1, shapes.map { $0.start.rawValue + $0.length.rawValue }.max() ?? 0)
        return svgDocument(width: Self.width + 100, height: Self.height, [
            svgText(Self.left, 28, title, size: 16),
        ] + panel("intensity", Self.tops.intensity) + panel("sharpness", Self.tops.sharpness) + timeAxis(duration)
            + shapes.flatMap { draw($0, duration) })
    }

    /// Draws the event's strength as an area, and its sharpness as a line.
    private func draw(_ shape: HapticShape, _ duration: Double) -> [String] {
        var shape = shape
        let most = max(2, 20_000 / pattern.events.count)
        let steps = min(most, max(2, Int(shape.length.rawValue / duration * Double(Self.width) / 2)))
        var area: [String] = []
        var line: [String] = []
        for step in 0...steps {
            let age = Seconds(shape.length.rawValue * Double(step) / Double(steps))
            let x = timeX(shape.start.rawValue + age.rawValue, duration).fixed(1)
            area.append("\(x),\(y(shape.intensity(at: age), Self.tops.intensity).fixed(1))")
            line.append("\(x),\(y(shape.sharpness(at: age), Self.tops.sharpness).fixed(1))")
        }
        let bottom = Self.tops.intensity + Self.panelHeight
        let start = timeX(shape.start.rawValue, duration).fixed(1)
        let end = timeX(shape.start.rawValue + shape.length.rawValue, duration).fixed(1)
        return [
            "<polygon fill=\"#b3243b\" fill-opacity=\"0.6\" "
                + "points=\"\(start),\(bottom) \(area.joined(separator: " ")) \(end),\(bottom)\"/>",
            "<polyline fill=\"none\" stroke=\"#4a7ebb\" stroke-width=\"4\" points=\"\(line.joined(separator: " "))\"/>",
        ]
    }

    private func panel(_ name: String, _ top: Int) -> [String] {
        [0.0, 0.5, 1].flatMap { value in
            let height = Int(y(value, top))
            return [
                svgGridLine(Self.left, height, width: Self.width),
                svgText(Self.left - 8, height + 4, value.fixed(1), anchor: "end"),
            ]
        } + [svgText(Self.left, top - 6, name)]
    }

    private func timeAxis(_ duration: Double) -> [String] {
        let step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].first { duration / $0 <= 12 } ?? 30
        return stride(from: 0, through: duration, by: step).map { second in
            svgText(Int(timeX(second, duration)), Self.tops.sharpness + Self.panelHeight + 20,
                 second.fixed(step < 0.1 ? 2 : 1) + " s", anchor: "middle")
        }
    }

    private func timeX(_ second: Double, _ duration: Double) -> Double {
        Double(Self.left) + second / duration * Double(Self.width)
    }

    private func y(_ value: Double, _ top: Int) -> Double { Double(top) + (1 - value) * Double(Self.panelHeight) }
}
