import Fields
import Glibc
import Signals

/// One chime as part of an SVG, on axes of its own so that each can be read: its partials over time, thinner as they fade, and the names of
/// its notes.
struct ChimeDrawing {
    /// In pixels, with its heading and its times.
    static let height = panel + 60
    private static let panel = 220
    /// Where a partial is not drawn any more, in dBFS.
    private static let floor = -80.0
    /// Of a partial at full scale, in pixels on each side of its pitch.
    private static let thickness = 14.0
    /// What is heard, in Hz; higher and lower partials are drawn at its edges.
    private static let audible = 20.0...20_000

    private let name: String
    private let notes: [ChimeNote]
    /// Of the drawing without its heading, in pixels.
    private let top: Int
    private let left: Int
    private let width: Int
    /// In seconds.
    private let duration: Double
    private let axis: PitchAxis

    /// `top`, `left` and `width` in pixels; the heading is above `top`.
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

    /// Elements of an SVG.
    var shapes: [String] {
        grid + [svgText(left, top - 10, name, size: 14)] + notes.flatMap { note in note.partials.map { wedge(note, $0) } }
            + notes.map(label) + times
    }

    private var grid: [String] {
        axis.ticks.flatMap { pitch in
            let y = Int(y(pitch).rounded())
            return ["<line x1=\"\(left)\" x2=\"\(left + width)\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"#ddd\"/>",
                    svgText(left - 8, y + 4, "\(Int(pitch)) Hz", anchor: "end", color: "#888")]
        }
    }

    private var times: [String] {
        // As many as have room for their words.
        let step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5].first { duration / $0 <= Double(width) / 75 } ?? 10
        return stride(from: 0, through: duration, by: step).map { second in
            svgText(Int(x(second)), top + Self.panel + 18, Report.fixed(second, step < 0.1 ? 2 : 1) + " s", anchor: "middle")
        }
    }

    /// As high as the partial's level over the floor, from its start until it has fallen to that.
    private func wedge(_ note: ChimeNote, _ partial: Partial) -> String {
        let above = max(0, note.level.rawValue + partial.level.rawValue - Self.floor)
        let (first, last) = (y(note.frequency.rawValue * partial.ratio), y((note.glide?.to ?? note.frequency).rawValue * partial.ratio))
        let half = above / -Self.floor * Self.thickness
        let peak = note.start.rawValue + note.attack.rawValue
        let end = min(duration, peak + note.decay.rawValue * above / 60)
        let points = [(note.start.rawValue, first), (peak, first - half), (end, last), (peak, first + half)]
            .map { "\(Report.fixed(x($0.0), 1)),\(Report.fixed($0.1, 1))" }
        return "<polygon fill=\"#b3243b\" fill-opacity=\"0.7\" points=\"\(points.joined(separator: " "))\"/>"
    }

    /// The note's name, above its beginning: `E5`, or `D3 → B2` where it glides.
    private func label(_ note: ChimeNote) -> String {
        let words = ([note.frequency] + [note.glide?.to].compactMap { $0 }).map(\.noteName).joined(separator: " → ")
        let (x, y) = (x(note.start.rawValue + note.attack.rawValue), y(note.frequency.rawValue))
        return svgText(Int(x) + 2, Int(y - Self.thickness) - 2, words, isOutlined: true)
    }

    private static func heard(_ pitch: Double) -> Double { min(max(pitch, audible.lowerBound), audible.upperBound) }

    private func x(_ second: Double) -> Double { Double(left) + second / duration * Double(width) }

    private func y(_ pitch: Double) -> Double { Double(top) + (1 - axis.part(of: Self.heard(pitch))) * Double(Self.panel) }
}
