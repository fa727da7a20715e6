import Experience
import Offline
import Units

/// The picture of a session, as an SVG.
struct SessionDrawing {
    static let columns = 1100

    static let left = 112.0
    static let width = Double(columns)
    private static let margin = 28.0

    let svg: String

    /// Draws a session under the title `name`. If `style` is nil, the picture follows the viewer's preference for light or dark.
    init(_ outline: SessionOutline, named name: String, style: PictureStyle? = nil) {
        let time = Self.axis(start: outline.start.rawValue, duration: outline.duration.rawValue)
        let panel = SessionPanel(outline, named: name, top: 10, time: time)
        svg = Self.document(panel.elements, height: panel.bottom + 8, style: style)
    }

    static func axis(start: Double, duration: Double) -> TimeAxis {
        TimeAxis(start: start, duration: max(duration, 0.001), left: left, width: width)
    }

    /// Returns an SVG document with `elements` on a background of the style's colour.
    static func document(_ elements: [String], height: Double, style: PictureStyle?) -> String {
        ([
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(left + width + margin)) \(Int(height))\" "
                + "font-family=\"Inter, system-ui, 'DejaVu Sans', sans-serif\" font-size=\"12\">",
        ] + PictureStyle.definitions(style) + ["<rect class=\"page\" width=\"100%\" height=\"100%\" fill=\"currentColor\"/>"] + elements
            + ["</svg>"]).joined(separator: "\n") + "\n"
    }
}

/// One session's part of a picture: a title, rows with what happened, and below them the tone, the spectrum, the loudness and the peaks.
struct SessionPanel {
    let elements: [String]
    /// The vertical range from the first row to the end of the last lane, in pixels from the top.
    let lanes: ClosedRange<Double>

    private static let title = 58.0

    /// Draws the panel from `top` downward, in pixels. `pitches` is the axis for the tone; where it is nil, the panel makes an axis for its
    /// own session.
    init(_ outline: SessionOutline, named name: String, top: Double, time: TimeAxis, pitches: PitchAxis? = nil) {
        var elements = Self.title(outline, name, top: top, time: time)
        let rows = MomentRows(outline.rows, top: top + Self.title, time: time)
        elements += rows.elements
        // Some pieces have no tone.
        let hasTone = outline.columns.contains { $0.pitch != nil }
        let tone = hasTone ? ToneLane(outline, on: pitches ?? PitchAxis(of: [outline]), below: rows.bottom, time: time) : nil
        let spectrum = SpectrumLane(outline, below: tone?.lane.bottom ?? rows.bottom, time: time)
        let loudness = LoudnessLane(outline, below: spectrum.lane.bottom, time: time)
        let peak = PeakLane(outline, below: loudness.lane.bottom, time: time)
        elements += (tone?.elements ?? []) + spectrum.elements + loudness.elements + peak.elements
        elements += [tone?.lane, spectrum.lane, loudness.lane, peak.lane].compactMap { $0 }.flatMap { rows.across($0) }
        self.elements = elements + Self.axis(below: peak.lane.bottom, time: time)
        lanes = (top + Self.title)...peak.lane.bottom
    }

    /// The lower edge of the panel, in pixels: below the last lane and the labels of the time axis.
    var bottom: Double { lanes.upperBound + 30 }

    private static func title(_ outline: SessionOutline, _ name: String, top: Double, time: TimeAxis) -> [String] {
        let header = outline.header
        let start = outline.start.rawValue > 0 ? "from \(outline.start.clock()) on, " : ""
        let rest = outline.rest.rawValue >= 0.5 ? ", \(outline.rest.clock()) more not drawn" : ""
        let isTooShort = MeasuredSound.isTooShort(outline.duration) && outline.columns.contains { $0.peak.rawValue > 0 }
        let loudness = outline.integrated.map { "\($0.fixed(1)) LUFS" } ?? (isTooShort ? "too short for its loudness" : "silent")
        let parts = [
            header.experience, "theme \(header.theme.name)", start + outline.duration.clock() + " long" + rest, loudness,
            SessionStart(header.started).map { InstantText.local($0.instant, "%Y-%m-%d %H:%M %Z") } ?? "",
        ]
        let damage = outline.notes.isOpenOnly ? [] : outline.notes.damage.map { "damaged: " + $0 }
        let end = outline.notes.isOpenOnly ? ["cut off or still running"] : []
        return [
            svgLabel(time.left, top + 24, name, "ink", size: 18, bold: true),
            svgLabel(time.left, top + 44, (parts + end + damage).filter { !$0.isEmpty }.joined(separator: "  ·  "),
                     damage.isEmpty ? "soft" : "gap", size: 13),
        ]
    }

    private static func axis(below y: Double, time: TimeAxis) -> [String] {
        time.ticks.flatMap { tick in
            [svgLine(time.x(tick.second), y, time.x(tick.second), y + 5, "soft"),
             svgLabel(time.x(tick.second), y + 19, tick.label, "ink", anchor: "middle")]
        } + [svgLabel(time.left - 24, y + 19, time.unit, "soft", anchor: "end", size: 11)]
    }
}

/// Two sessions above each other on one time axis. Vertical lines through both show where they first differ.
struct ComparisonDrawing {
    let svg: String

    private static let label = 20.0

    init(_ comparison: SessionComparison, _ outlines: (SessionOutline, SessionOutline), named names: (String, String),
         style: PictureStyle?) {
        let (first, second) = outlines
        let start = min(first.start.rawValue, second.start.rawValue)
        let end = [first, second].map { $0.start.rawValue + $0.duration.rawValue }.max() ?? start
        let time = SessionDrawing.axis(start: start, duration: end - start)
        let differences = [
            ("events", comparison.events?.seconds), ("cues", comparison.cues?.seconds), ("margins", comparison.margins?.seconds),
            ("samples", comparison.sound?.seconds),
        ].compactMap { words, seconds in seconds.map { (words, $0) } }
        let top = 16 + Self.label * Double(max(1, differences.count))
        // Both sessions share one pitch axis, so that they can be compared by eye.
        let pitches = PitchAxis(of: [first, second])
        let above = SessionPanel(first, named: names.0, top: top, time: time, pitches: pitches)
        let below = SessionPanel(second, named: names.1, top: above.bottom + 16, time: time, pitches: pitches)
        var elements = above.elements + below.elements
        if differences.isEmpty {
            let words = comparison.isSame ? "no difference" : "no difference in events, cues, margins and samples"
            elements.append(svgLabel(time.left, 28, words, "ink", bold: true))
        }
        for (index, (words, seconds)) in differences.enumerated() {
            let (x, y) = (time.x(seconds), 28 + Self.label * Double(index))
            // The label stands on the side that has more room.
            let isLate = x > time.left + time.width / 2
            // The line is interrupted between the panels, so that it does not cross text.
            elements += [above, below].map { svgLine(x, $0.lanes.lowerBound, x, $0.lanes.upperBound, "gap", width: 1.5, dashes: "7 4") } + [
                svgLine(x, y - 10, x, y + 4, "gap", width: 3),
                svgLabel(x + (isLate ? -6 : 6), y, "\(words) differ from \(Seconds(seconds).clock(3)) on", "gap",
                         anchor: isLate ? "end" : "start", bold: true),
            ]
        }
        svg = SessionDrawing.document(elements, height: below.bottom + 8, style: style)
    }
}
