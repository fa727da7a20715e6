import Offline
import Units

/// Two sessions above each other on one axis of time, and lines through both where they first differ.
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
            ("events", comparison.events?.seconds), ("cues", comparison.cues?.seconds), ("samples", comparison.sound?.seconds),
        ].compactMap { words, seconds in seconds.map { (words, $0) } }
        let top = 16 + Self.label * Double(max(1, differences.count))
        // One axis for both, so that they can be compared by eye.
        let pitches = PitchAxis(of: [first, second])
        let above = SessionPanel(first, named: names.0, top: top, time: time, pitches: pitches)
        let below = SessionPanel(second, named: names.1, top: above.bottom + 16, time: time, pitches: pitches)
        var elements = above.elements + below.elements
        if differences.isEmpty {
            let words = comparison.isSame ? "no difference" : "no difference in events, cues and samples"
            elements.append(svgLabel(time.left, 28, words, "ink", bold: true))
        }
        for (place, (words, seconds)) in differences.enumerated() {
            let (x, y) = (time.x(seconds), 28 + Self.label * Double(place))
            // On the side where there is room.
            let isLate = x > time.left + time.width / 2
            // Not through the words above the lanes.
            elements += [above, below].map { svgLine(x, $0.lanes.lowerBound, x, $0.lanes.upperBound, "gap", width: 1.5, dashes: "7 4") } + [
                svgLine(x, y - 10, x, y + 4, "gap", width: 3),
                svgLabel(x + (isLate ? -6 : 6), y, "\(words) differ from \(Seconds(seconds).clock(3)) on", "gap",
                         anchor: isLate ? "end" : "start", bold: true),
            ]
        }
        svg = SessionDrawing.document(elements, height: below.bottom + 8, style: style)
    }
}
