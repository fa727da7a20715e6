import Offline
import Units

/// One session of a picture: its title, what happened in rows, and below them the tone, the spectrum, the loudness and the peaks.
struct SessionPanel {
    let elements: [String]
    /// Of the lanes, from the first row to the last.
    let lanes: ClosedRange<Double>

    private static let title = 58.0

    /// `top` is where it begins. `pitches` is the tone's axis, its own if there is none.
    init(_ outline: SessionOutline, named name: String, top: Double, time: TimeAxis, pitches: PitchAxis? = nil) {
        var elements = Self.title(outline, name, top: top, time: time)
        let rows = MomentRows(outline.rows, top: top + Self.title, time: time)
        elements += rows.elements
        // Some pieces have none.
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

    /// Below its last lane, with the time's labels.
    var bottom: Double { lanes.upperBound + 30 }

    private static func title(_ outline: SessionOutline, _ name: String, top: Double, time: TimeAxis) -> [String] {
        let header = outline.header
        let start = outline.start.rawValue > 0 ? "from \(outline.start.clock()) on, " : ""
        let rest = outline.rest.rawValue >= 0.5 ? ", \(outline.rest.clock()) more not drawn" : ""
        let isTooShort = MeasuredSound.isTooShort(outline.duration) && outline.columns.contains { $0.peak.rawValue > 0 }
        let loudness = outline.integrated.map { "\(Report.fixed($0, 1)) LUFS" } ?? (isTooShort ? "too short for its loudness" : "silent")
        let parts = [
            header.experience, "theme \(header.theme.name)", start + outline.duration.clock() + " long" + rest, loudness,
            SessionStart(header.started).map { LocalTimeText.format($0.instant, "%Y-%m-%d %H:%M %Z") } ?? "",
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
