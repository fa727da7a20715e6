import Experience
import Fields
import Signals
import Units

/// One chime as part of an SVG. Its axes are its own, so that each chime can be read. It shows the partials over time, which get thinner as
/// they fade, and the names of the notes.
struct ChimeDrawing {
    /// The height in pixels, including the heading and the labels of the time axis.
    static let height = panel + 60
    private static let panel = 220
    /// The level in dBFS below which a partial is not drawn.
    private static let floor = -80.0
    /// Half the thickness, in pixels, with which a partial at full scale is drawn.
    private static let thickness = 14.0
    /// The range of hearing in Hz. Partials outside it are drawn at its edges.
    private static let audible = 20.0...20_000

    private let name: String
    private let notes: [ChimeNote]
    /// The top of the drawing without its heading, in pixels.
    private let top: Int
    private let left: Int
    private let width: Int
    /// The length of the time axis, in seconds.
    private let duration: Double
    private let axis: PitchAxis

    /// Places the drawing: `top`, `left` and `width` are in pixels, and the heading is above `top`.
    init(_ name: String, _ chime: Chime, top: Int, left: Int, width: Int) {
        self.name = name
        notes = chime.notes
        self.top = top
        self.left = left
        self.width = width
        duration = max(0.1, notes.map { $0.start.rawValue + $0.attack.rawValue + $0.decay.rawValue }.max() ?? 0)
        axis = PitchAxis(notes.flatMap { note in
            note.partials.flatMap { partial in
                [note.frequency, note.glide?.to ?? note.frequency].map { Self.heard($0.rawValue * partial.ratio) }
            }
        })
    }

    /// The elements of the SVG.
    var shapes: [String] {
        grid + [svgText(left, top - 10, name, size: 14)] + notes.flatMap { note in note.partials.map { wedge(note, $0) } }
            + notes.map(label) + times
    }

    private var grid: [String] {
        axis.ticks.flatMap { pitch in
            let y = Int(y(pitch).rounded())
            return [svgGridLine(left, y, width: width),
                    svgText(left - 8, y + 4, "\(Int(pitch)) Hz", anchor: "end", color: "#888")]
        }
    }

    private var times: [String] {
        // The ticks are as close as their labels allow.
        let step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5].first { duration / $0 <= Double(width) / 75 } ?? 10
        return stride(from: 0, through: duration, by: step).map { second in
            svgText(Int(x(second)), top + Self.panel + 18, second.fixed(step < 0.1 ? 2 : 1) + " s", anchor: "middle")
        }
    }

    /// Returns a partial of the note as a wedge. Its thickness shows how far the partial's level is above the floor; it ends where the
    /// partial has fallen to the floor.
    private func wedge(_ note: ChimeNote, _ partial: Partial) -> String {
        let above = max(0, note.level.rawValue + partial.level.rawValue - Self.floor)
        let (first, last) = (y(note.frequency.rawValue * partial.ratio), y((note.glide?.to ?? note.frequency).rawValue * partial.ratio))
        let half = above / -Self.floor * Self.thickness
        let peak = note.start.rawValue + note.attack.rawValue
        let end = min(duration, peak + note.decay.rawValue * above / 60)
        let points = [(note.start.rawValue, first), (peak, first - half), (end, last), (peak, first + half)]
            .map { "\(x($0.0).fixed(1)),\($0.1.fixed(1))" }
        return "<polygon fill=\"#b3243b\" fill-opacity=\"0.7\" points=\"\(points.joined(separator: " "))\"/>"
    }

    /// Returns the note's name, to be drawn above the start of the note: `E5`, or `D3 → B2` where it glides.
    private func label(_ note: ChimeNote) -> String {
        let words = ([note.frequency] + [note.glide?.to].compactMap { $0 }).map(\.noteName).joined(separator: " → ")
        let (x, y) = (x(note.start.rawValue + note.attack.rawValue), y(note.frequency.rawValue))
        return svgText(Int(x) + 2, Int(y - Self.thickness) - 2, words, isOutlined: true)
    }

    private static func heard(_ pitch: Double) -> Double { min(max(pitch, audible.lowerBound), audible.upperBound) }

    private func x(_ second: Double) -> Double { Double(left) + second / duration * Double(width) }

    private func y(_ pitch: Double) -> Double { Double(top) + (1 - axis.part(of: Self.heard(pitch))) * Double(Self.panel) }
}

/// One texture as part of an SVG: the waveform that is played, with attack, breaths and release, and its settings in words.
struct TextureDrawing {
    /// The height in pixels, including the heading and the labels of the time axis.
    static let height = values + panel + 70
    private static let panel = 110
    /// The height, in pixels, of the second and third line of the texture's settings together, and the height of one line.
    private static let (values, line) = (28, 14)
    /// The approximate width of a letter, in pixels.
    private static let letter = 6
    /// The width in pixels of a column of the waveform. Of the samples in a column, only the largest is drawn.
    private static let column = 2

    private let name: String
    /// The texture's settings, broken into lines that fit.
    private let words: [String]
    private let samples: [Float]
    private let top: Int
    private let left: Int
    private let width: Int

    /// Renders the texture `name` of the theme, so that its samples can be drawn. `top`, `left` and `width` are in pixels; the heading is
    /// above `top`.
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

    /// The elements of the SVG.
    var shapes: [String] {
        let middle = top + Self.panel / 2
        let largest = samples.map(\.magnitude).max() ?? 0
        let peak = Magnitude(largest).decibels.map { "\($0.rawValue.fixed(1)) dBFS" } ?? "silent"
        let columns = width / Self.column
        // The waveform is scaled to its largest sample, because most textures are soft.
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
            svgGridLine(left, middle, width: width),
            "<polygon fill=\"#b3243b\" fill-opacity=\"0.7\" points=\"\(outline)\"/>",
            svgText(left - 8, top + 8, peak, anchor: "end", color: "#888"),
        ] + times
    }

    /// Breaks `text` into lines of at most `letters` letters, each of which ends after a comma.
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
        // The ticks are as close as their labels allow.
        let step = [0.5, 1, 2, 5, 10].first { duration / $0 <= Double(width) / 75 } ?? 30
        return stride(from: 0, through: duration, by: step).map { second in
            svgText(left + Int(second / duration * Double(width)), top + Self.panel + 18, second.fixed(step < 1 ? 1 : 0) + " s",
                    anchor: "middle")
        }
    }
}

/// The tone's partials as part of an SVG: a bar for each partial, whose height shows its level.
struct PartialsDrawing {
    /// The height in pixels, including the heading and the labels of the ratios.
    static let height = panel + 70
    private static let panel = 80
    /// The level in dB at which a bar has no height.
    private static let floor = -60.0
    /// The largest width of a bar, and the largest distance between two ratios; in pixels.
    private static let (bar, step) = (16.0, 70.0)

    private let partials: [TonePartial]
    private let top: Int
    private let left: Int
    private let width: Int

    /// Places the drawing: `top`, `left` and `width` are in pixels, and the heading is above `top`.
    init(_ partials: [TonePartial], top: Int, left: Int, width: Int) {
        self.partials = partials
        self.top = top
        self.left = left
        self.width = width
    }

    /// The elements of the SVG.
    var shapes: [String] {
        let step = min(Self.step, Double(self.width) / Double(partials.map(\.ratio).max() ?? 1))
        let lines: [String] = [0.0, -20, -40].flatMap { level -> [String] in
            let y = Int(y(level))
            return [svgGridLine(left, y, width: self.width),
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
