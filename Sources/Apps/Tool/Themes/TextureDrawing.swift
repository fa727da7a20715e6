import Signals
import Units

/// One texture as part of an SVG: the waveform that is played, with its attack, its breaths and its release, and its values in words.
struct TextureDrawing {
    /// In pixels, with its heading and its times.
    static let height = values + panel + 70
    private static let panel = 110
    /// The room for a second and a third line of its values, and what a line takes.
    private static let (values, line) = (28, 14)
    /// What a letter takes, about.
    private static let letter = 6
    /// Of samples that are drawn as one, in pixels.
    private static let column = 2

    private let name: String
    /// Its values, in lines that have room in its width.
    private let words: [String]
    private let samples: [Float]
    private let top: Int
    private let left: Int
    private let width: Int

    /// Of the texture `name` of the theme. `top`, `left` and `width` in pixels; the heading is above `top`.
    init(_ name: String, of theme: Theme, top: Int, left: Int, width: Int) {
        self.name = name
        words = Self.lines(of: theme.textures[name]?.words ?? "", letters: width / Self.letter)
        var samples: [Float] = []
        ThemeRound(theme, part: .texture(name)).play { block in
            for index in block.indices { samples.append(block[index]) }
        }
        self.samples = samples
        self.top = top + Self.values
        self.left = left
        self.width = width
    }

    /// Elements of an SVG.
    var shapes: [String] {
        let middle = top + Self.panel / 2
        let largest = samples.map(\.magnitude).max() ?? 0
        let peak = Magnitude(largest).decibels.map { "\(Report.fixed($0.rawValue, 1)) dBFS" } ?? "silent"
        let columns = width / Self.column
        // To scale with the largest sample: most textures are soft.
        let scale = Double(Self.panel) / 2 / Double(max(largest, .leastNormalMagnitude))
        let heights = (0..<columns).map { column -> Double in
            let part = samples[(samples.count * column / columns)..<(samples.count * (column + 1) / columns)]
            return Double(part.map(\.magnitude).max() ?? 0) * scale
        }
        func points(_ sign: Double) -> [String] {
            heights.enumerated().map { "\(left + $0 * Self.column),\(svg(Double(middle) + sign * $1))" }
        }
        let outline = (points(-1) + points(1).reversed()).joined(separator: " ")
        let heading = top - 10 - Self.line * words.count
        let values = words.enumerated().map { svgText(left, heading + 2 + Self.line * ($0 + 1), $1) }
        return [svgText(left, heading, name, size: 14)] + values + [
            "<line x1=\"\(left)\" x2=\"\(left + width)\" y1=\"\(middle)\" y2=\"\(middle)\" stroke=\"#ddd\"/>",
            "<polygon fill=\"#b3243b\" fill-opacity=\"0.7\" points=\"\(outline)\"/>",
            svgText(left - 8, top + 8, peak, anchor: "end", color: "#888"),
        ] + times
    }

    /// `text` in lines of at most `letters`, each of which ends behind a comma.
    private static func lines(of text: String, letters: Int) -> [String] {
        var lines = [""]
        for part in text.split(separator: ", ") {
            let last = lines[lines.count - 1]
            if last.isEmpty || last.count + part.count + 2 <= letters {
                lines[lines.count - 1] = last.isEmpty ? String(part) : "\(last), \(part)"
            } else {
                lines[lines.count - 1] += ","
                lines.append(String(part))
            }
        }
        return lines
    }

    private var times: [String] {
        let duration = SampleRate.standard.seconds(in: FrameCount(Int64(max(1, samples.count)))).rawValue
        // As many as have room for their words.
        let step = [0.5, 1, 2, 5, 10].first { duration / $0 <= Double(width) / 75 } ?? 30
        return stride(from: 0, through: duration, by: step).map { second in
            svgText(left + Int(second / duration * Double(width)), top + Self.panel + 18, Report.fixed(second, step < 1 ? 1 : 0) + " s",
                    anchor: "middle")
        }
    }
}
