import Fields
import Signals
import Units

/// A theme as an SVG: above, the tone's pitch and level over the cards seen; below, for each chime its partials over time, thinner as they
/// fade.
struct ThemeDrawing {
    private static let width = 900
    private static let left = 80
    private static let pitchTop = 60
    private static let levelTop = 220
    private static let toneHeight = 120
    private static let chimeTop = 420
    private static let chimeHeight = 140
    private static let gap = 52
    /// The axes of pitch in Hz, and of level in dBFS.
    private static let pitches = 50.0...20_000
    private static let floor = -80.0

    private let theme: Theme
    private let chimes: [(key: String, value: Chime)]
    /// Of the chimes, in seconds.
    private let duration: Double

    init(_ theme: Theme) {
        self.theme = theme
        chimes = theme.chimes.sorted { $0.key < $1.key }
        duration = max(0.1, chimes.flatMap(\.value.notes).map { $0.start.rawValue + $0.attack.rawValue + $0.decay.rawValue }.max() ?? 0)
    }

    var svg: String {
        let height = Self.chimeTop + chimes.count * (Self.chimeHeight + Self.gap) + 20
        return ([
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Self.width + 160) \(height)\" "
                + "font-family=\"sans-serif\" font-size=\"12\">",
            "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
            svgText(Self.left, 30, escaped(theme.name), size: 16),
        ] + tone + chimes.indices.flatMap(chime) + ["</svg>"]).joined(separator: "\n") + "\n"
    }

    private var tone: [String] {
        let curve = theme.toneCurve
        let (right, ceiling) = (Self.left + Self.width, levelY(theme.ceiling.rawValue))
        func line(_ from: Int, _ to: Int, _ color: String) -> String {
            "<line x1=\"\(Self.left)\" x2=\"\(right)\" y1=\"\(from)\" y2=\"\(to)\" stroke=\"\(color)\" stroke-width=\"3\"/>"
        }
        func label(_ y: Int, _ words: String) -> String { svgText(Self.left - 8, y + 4, words, anchor: "end") }
        func pitchY(_ pitch: Hertz) -> Int { y(ofPitch: pitch.rawValue, Self.pitchTop, Self.toneHeight) }
        let pitch = (pitchY(curve.start), pitchY(curve.cap))
        let level = (levelY(curve.quietest.rawValue), levelY(curve.loudest.rawValue))
        return grid(top: Self.pitchTop, height: Self.toneHeight, labels: false) + [
            svgText(Self.left, Self.pitchTop - 8, "the tone's pitch, on average"),
            line(pitch.0, pitch.1, "#4a7ebb"),
            label(pitch.0, "\(Report.fixed(curve.start.rawValue, 0)) Hz"),
            svgText(right + 8, pitch.1 + 4, "\(Report.fixed(curve.cap.rawValue, 0)) Hz"),
            svgText(Self.left, Self.levelTop - 8, "its level"),
            "<line x1=\"\(Self.left)\" x2=\"\(right)\" y1=\"\(ceiling)\" y2=\"\(ceiling)\" stroke=\"#b3243b\" "
                + "stroke-dasharray=\"6 4\"/>",
            svgText(Self.left + Self.width / 2, ceiling + 14, "ceiling \(Fault.plain(theme.ceiling.rawValue)) dBFS", anchor: "middle",
                    color: "#b3243b"),
            line(level.0, level.1, "#4a7ebb"),
            label(level.0, "\(Report.fixed(curve.quietest.rawValue, 0)) dBFS"),
            svgText(right + 8, level.1 + 4, "\(Report.fixed(curve.loudest.rawValue, 0)) dBFS"),
            svgText(Self.left, Self.levelTop + Self.toneHeight + 18, "no card"),
            svgText(right, Self.levelTop + Self.toneHeight + 18, "\(curve.views) cards", anchor: "end"),
        ]
    }

    private func chime(_ index: Int) -> [String] {
        let top = Self.chimeTop + index * (Self.chimeHeight + Self.gap)
        let bottom = top + Self.chimeHeight
        let step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5].first { duration / $0 <= 12 } ?? 10
        let times = stride(from: 0, through: duration, by: step).map { second in
            svgText(Int(timeX(second)), bottom + 16, Report.fixed(second, step < 0.1 ? 2 : 1) + " s", anchor: "middle")
        }
        let partials = chimes[index].value.notes.flatMap { note in note.partials.map { wedge(note, $0, top) } }
        return grid(top: top, height: Self.chimeHeight, labels: true)
            + [svgText(Self.left, top - 8, escaped(chimes[index].key))] + partials + times
    }

    /// As high as the partial's level over the floor, from its start until it has fallen to that.
    private func wedge(_ note: ChimeNote, _ partial: Partial, _ top: Int) -> String {
        let above = max(0, note.level.rawValue + partial.level.rawValue - Self.floor)
        let y = Double(self.y(ofPitch: note.frequency.rawValue * partial.ratio, top, Self.chimeHeight))
        let lastY = note.glide.map { Double(self.y(ofPitch: $0.to.rawValue * partial.ratio, top, Self.chimeHeight)) } ?? y
        let half = above / -Self.floor * 8
        let peak = note.start.rawValue + note.attack.rawValue
        let end = min(duration, peak + note.decay.rawValue * above / 60)
        let points = [(note.start.rawValue, y), (peak, y - half), (end, lastY), (peak, y + half)]
            .map { "\(Report.fixed(timeX($0.0), 1)),\(Report.fixed($0.1, 1))" }
        return "<polygon fill=\"#b3243b\" fill-opacity=\"0.7\" points=\"\(points.joined(separator: " "))\"/>"
    }

    /// Lines two octaves apart.
    private func grid(top: Int, height: Int, labels: Bool) -> [String] {
        [100.0, 400, 1600, 6400].flatMap { pitch in
            let y = y(ofPitch: pitch, top, height)
            return ["<line x1=\"\(Self.left)\" x2=\"\(Self.left + Self.width)\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"#ddd\"/>"]
                + (labels ? [svgText(Self.left - 8, y + 4, "\(Int(pitch)) Hz", anchor: "end")] : [])
        }
    }

    private func y(ofPitch pitch: Double, _ top: Int, _ height: Int) -> Int {
        let inside = min(max(pitch, Self.pitches.lowerBound), Self.pitches.upperBound)
        let part = log2(inside / Self.pitches.lowerBound) / log2(Self.pitches.upperBound / Self.pitches.lowerBound)
        return top + height - Int((part * Double(height)).rounded())
    }

    private func levelY(_ level: Double) -> Int {
        let part = (min(0, max(Self.floor, level)) - Self.floor) / -Self.floor
        return Self.levelTop + Self.toneHeight - Int((part * Double(Self.toneHeight)).rounded())
    }

    private func timeX(_ second: Double) -> Double { Double(Self.left) + second / duration * Double(Self.width) }
}
