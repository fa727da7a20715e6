import Offline
import Units

/// The rows of a session's picture that show what happened: a tick for a moment, a bar for what lasted, and labels where they fit.
struct MomentRows {
    let elements: [String]
    let bottom: Double

    private static let height = 19.0
    /// The space below the last row, in pixels.
    private static let gap = 6.0
    /// The approximate width of a letter, in pixels.
    private static let letter = 6.2
    /// The smallest width of a hatched area, in pixels, so that it can be seen.
    private static let narrowest = 6.0
    /// The smallest number of letters that a shortened label keeps. Where there is room for fewer, there is no label.
    private static let fewestLetters = 5

    private let rows: [MomentRow]
    private let time: TimeAxis

    init(_ rows: [MomentRow], top: Double, time: TimeAxis) {
        self.rows = rows
        self.time = time
        bottom = top + Double(rows.count) * Self.height + (rows.isEmpty ? 0 : Self.gap)
        elements = rows.enumerated().flatMap { index, row in
            Self.row(row, top: top + Double(index) * Self.height, time)
        }
    }

    /// Returns what the rows draw across a lane: a line for each mark and theme, a shade where nothing was heard, hatches where the journal
    /// is incomplete.
    func across(_ lane: Lane) -> [String] {
        let (top, bottom) = (lane.top, lane.bottom)
        return rows.flatMap { row in
            row.moments.compactMap { moment in
                let x = time.x(moment.at.rawValue)
                switch (row.kind, moment.until) {
                case (.mark, _), (.theme, _): return svgLine(x, top, x, bottom, row.kind.rawValue, dashes: "4 3")
                case (.mute, let end?), (.gap, let end?):
                    return svgBox(x, top, max(1, time.x(end.rawValue) - x), bottom - top, row.kind.rawValue, opacity: 0.18)
                case (.lost, let end?), (.damaged, let end?):
                    return svgHatch(x, top, max(Self.narrowest, time.x(end.rawValue) - x), bottom - top)
                default: return nil
                }
            }
        }
    }

    private static func row(_ row: MomentRow, top: Double, _ time: TimeAxis) -> [String] {
        let baseline = top + 13
        var elements = [svgLabel(time.left - 8, baseline, row.title, "soft", anchor: "end", size: 11),
                        svgLine(time.left, top + height - 1, time.left + time.width, top + height - 1, "grid")]
        if let from = row.guessedFrom {
            // The hatches reach the end: from the damage on, everything that follows from rules is a guess.
            let x = time.x(from.rawValue)
            elements.append(svgHatch(x, top + 1, time.left + time.width - x, height - 3, opacity: 0.45,
                                     title: "from \(from.clock(1)) on a guess, by the rules: the journal is damaged"))
        }
        var said = ""
        // The right edge of the last label, or of the last moment without a label after it.
        var taken = time.left
        for (index, moment) in row.moments.enumerated() {
            let x = time.x(moment.at.rawValue)
            let end = moment.until.map { time.x($0.rawValue) } ?? x
            let next = index + 1 < row.moments.count ? time.x(row.moments[index + 1].at.rawValue) : time.left + time.width
            let words = ([moment.at.clock(1)] + [moment.until.map { "to \($0.clock(1))" }, moment.label.isEmpty ? nil : moment.label]
                .compactMap { $0 }).joined(separator: " ")
            elements.append(svgBox(x, top + 3, max(2.5, end - x), height - 7, row.kind.rawValue, radius: 1, title: words))
            // A label that is the same as the one before is left out.
            let after = max(end, x + 2.5)
            guard moment.label != said else {
                taken = after
                continue
            }
            if let label = fitting(moment.label, in: next - after - 8) {
                said = moment.label
                elements.append(svgLabel(after + 4, baseline, label, row.kind.rawValue, size: 11))
                taken = after + 4 + Double(label.count) * letter
            } else if let label = fitting(moment.label, in: x - taken - 8), label == moment.label {
                // The label stands before the moment, because the next moment leaves no room after it.
                said = moment.label
                elements.append(svgLabel(x - 4, baseline, label, row.kind.rawValue, anchor: "end", size: 11))
                taken = after
            } else {
                taken = after
            }
        }
        return elements
    }

    /// Returns `words`, shortened to `room` pixels; nil where fewer than `fewestLetters` letters would be left.
    private static func fitting(_ words: String, in room: Double) -> String? {
        let letters = Int(room / letter)
        guard !words.isEmpty, words.count > letters else { return words.isEmpty ? nil : words }
        return letters > fewestLetters ? words.prefix(letters - 1) + "…" : nil
    }
}
