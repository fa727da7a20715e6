import Offline
import Units

/// An outline as an SVG: time to the right, above the tone's pitch, below the level.
struct OutlineDrawing {
    static let columns = 1100

    private static let left = 70
    private static let pitchTop = 60
    private static let pitchHeight = 240
    private static let levelTop = 330
    private static let levelHeight = 150
    private static let width = columns + 100
    private static let height = 530
    /// Of the level axis, in dBFS.
    private static let floor = -80.0

    private let outline: SessionOutline
    private let title: String
    private let pitches: PitchAxis

    init(outline: SessionOutline, title: String) {
        self.outline = outline
        self.title = title
        pitches = PitchAxis(outline.columns.compactMap { $0.pitch?.rawValue })
    }

    var svg: String {
        ([
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.width) \(Self.height)\" "
                + "font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
            svgText(Self.left, 30, title, size: 16),
        ] + pitchAxis + levelAxis + timeAxis + marks + [levels] + tones + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private var pitchAxis: [String] {
        pitches.ticks.flatMap { hertz in
            line(y: pitchY(hertz)) + [svgText(Self.left - 8, pitchY(hertz) + 4, "\(Int(hertz)) Hz", anchor: "end")]
        }
    }

    private var levelAxis: [String] {
        [0.0, -20, -40, -60].flatMap { level in
            line(y: levelY(level)) + [svgText(Self.left - 8, levelY(level) + 4, "\(Int(level)) dBFS", anchor: "end")]
        }
    }

    /// About ten labels, at round numbers of seconds.
    private var timeAxis: [String] {
        let duration = outline.duration.rawValue
        let step = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 600, 3600, 21_600].first { duration / $0 <= 12 } ?? 86_400
        return stride(from: 0, through: duration, by: step).map { second in
            svgText(timeX(second), Self.levelTop + Self.levelHeight + 20, Report.fixed(second, step < 1 ? 1 : 0) + " s",
                 anchor: "middle")
        }
    }

    private var marks: [String] {
        // A name that would run into the one before is left out.
        var freeFrom = 0
        return outline.marks.flatMap { mark in
            let x = timeX(mark.at.rawValue)
            let isNamed = x >= freeFrom
            if isNamed { freeFrom = x + 10 + 8 * mark.chime.count }
            return [
                "<line x1=\"\(x)\" x2=\"\(x)\" y1=\"\(Self.pitchTop)\" y2=\"\(Self.levelTop + Self.levelHeight)\" "
                    + "stroke=\"#d98200\" stroke-dasharray=\"3 3\"/>",
            ] + (isNamed ? [svgText(x + 4, Self.pitchTop + 12, escaped(mark.chime), color: "#b36b00")] : [])
        }
    }

    private var levels: String {
        let bottom = Self.levelTop + Self.levelHeight
        let points = outline.columns.enumerated().map { index, column in
            "\(Self.left + index),\(levelY(column.peak.decibels?.rawValue ?? Self.floor))"
        }
        return "<polygon fill=\"#4a7ebb\" points=\"\(Self.left),\(bottom) \(points.joined(separator: " ")) "
            + "\(Self.left + outline.columns.count - 1),\(bottom)\"/>"
    }

    /// One line for each stretch in which the tone sounded.
    private var tones: [String] {
        var lines: [String] = []
        var points: [String] = []
        func finish() {
            if !points.isEmpty {
                lines.append("<polyline fill=\"none\" stroke=\"#b3243b\" stroke-width=\"3\" stroke-linecap=\"round\" "
                    + "points=\"\(points.joined(separator: " "))\"/>")
            }
            points = []
        }
        for (index, column) in outline.columns.enumerated() {
            if let pitch = column.pitch {
                points.append("\(Self.left + index),\(pitchY(pitch.rawValue))")
                points.append("\(Self.left + index + 1),\(pitchY(pitch.rawValue))")
            } else {
                finish()
            }
        }
        finish()
        return lines
    }

    private func pitchY(_ hertz: Double) -> Int {
        Self.pitchTop + Self.pitchHeight - Int((pitches.part(of: hertz) * Double(Self.pitchHeight)).rounded())
    }

    private func levelY(_ level: Double) -> Int {
        let part = (min(0, max(Self.floor, level)) - Self.floor) / -Self.floor
        return Self.levelTop + Self.levelHeight - Int((part * Double(Self.levelHeight)).rounded())
    }

    private func timeX(_ second: Double) -> Int {
        let part = outline.duration.rawValue > 0 ? second / outline.duration.rawValue : 0
        return Self.left + Int((part * Double(outline.columns.count - 1)).rounded())
    }

    private func line(y: Int) -> [String] {
        ["<line x1=\"\(Self.left)\" x2=\"\(Self.left + outline.columns.count)\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"#ddd\"/>"]
    }
}
