import FoundationEssentials
import Offline
import PNG
import Units

/// A strip of a session's picture: a heading, and below it an area with an axis on its left.
struct Lane {
    let top: Double
    let height: Double
    /// The values at the lower and at the upper edge of the area.
    let range: (low: Double, high: Double)
    let time: TimeAxis

    /// The height of the heading above the area, in pixels.
    static let heading = 25.0

    init(below y: Double, height: Double, range: (low: Double, high: Double), time: TimeAxis) {
        top = y + Self.heading
        self.height = height
        self.range = range
        self.time = time
    }

    var bottom: Double { top + height }

    func y(_ value: Double) -> Double {
        bottom - (min(range.high, max(range.low, value)) - range.low) / (range.high - range.low) * height
    }

    /// Returns the empty area of the lane with its axis. `ticks` are the values to mark, with their labels.
    func frame(_ ticks: [(value: Double, label: String)]) -> [String] {
        [svgBox(time.left, top, time.width, height, "panel")]
            + time.ticks.map { svgLine(time.x($0.second), top, time.x($0.second), bottom, "grid") }
            + ticks.flatMap { tick in
                [svgLine(time.left, y(tick.value), time.left + time.width, y(tick.value), "grid"),
                 svgLabel(time.left - 8, y(tick.value) + 4, tick.label, "soft", anchor: "end", size: 11)]
            }
    }

    /// Returns the lane's title and its legend. Each of `parts` is an entry of the legend: a sample of a line's colour and width, with
    /// words.
    func legend(_ title: String, _ parts: [(words: String, role: String, width: Double)]) -> [String] {
        let y = top - 8
        var x = time.left + 7.2 * Double(title.count) + 14
        return [svgLabel(time.left, y, title, "ink", bold: true)] + parts.flatMap { part in
            let element = [svgLine(x, y - 4, x + 18, y - 4, part.role, width: part.width),
                           svgLabel(x + 24, y, part.words, "soft", size: 11)]
            x += 24 + 6.1 * Double(part.words.count) + 18
            return element
        }
    }
}

/// A lane with the tone's pitch over time. The line is broken where the tone is silent.
struct ToneLane {
    let lane: Lane
    let elements: [String]

    init(_ outline: SessionOutline, on axis: PitchAxis, below y: Double, time: TimeAxis) {
        lane = Lane(below: y, height: 150, range: (0, 1), time: time)
        var lines: [String] = []
        var points: [(x: Double, y: Double)] = []
        func finish() {
            if !points.isEmpty { lines.append(svgPath(points, "tone", width: 2.5)) }
            points = []
        }
        for (index, column) in outline.columns.enumerated() {
            guard let pitch = column.pitch else {
                finish()
                continue
            }
            let y = lane.y(axis.part(of: pitch.rawValue))
            // A stretch of constant pitch needs only its first and its last point.
            if points.count > 1, points[points.count - 1].y == y, points[points.count - 2].y == y { points.removeLast() }
            if points.isEmpty { points.append((outline.x(ofColumn: index, time), y)) }
            points.append((outline.x(ofColumn: index + 1, time), y))
        }
        finish()
        elements = lane.frame(axis.ticks.map { (axis.part(of: $0), frequencyLabel($0)) })
            + lane.legend("Tone", [("pitch", "tone", 2.5)]) + lines
    }
}

/// A lane with the spectrum over time.
struct SpectrumLane {
    let lane: Lane
    let elements: [String]

    init(_ outline: SessionOutline, below y: Double, time: TimeAxis) {
        let image = SpectrogramImage(outline.spectrogram)
        let range = outline.spectrogram.frequencies
        lane = Lane(below: y, height: 180, range: (log2(range.lowerBound), log2(range.upperBound)), time: time)
        let (left, right) = (outline.x(ofColumn: 0, time), outline.x(ofColumn: outline.columns.count, time))
        let ticks = [50.0, 100, 200, 500, 1_000, 2_000, 5_000, 10_000].filter(range.contains).map { (log2($0), frequencyLabel($0)) }
        let bar = (x: time.left + 84, y: lane.top - 17)
        // The image covers the grid, because grid lines would look like sound.
        elements = lane.frame(ticks) + [image.element(x: left, y: lane.top, width: right - left, height: lane.height)]
            + [lane.top, lane.bottom].map { svgLine(time.left, $0, time.left + time.width, $0, "grid") }
            + lane.legend("Spectrum", []) + [
                svgLabel(bar.x + 46, lane.top - 8, "\(svg(image.range.low)) dB", "soft", anchor: "end", size: 11),
                "<rect class=\"levels\" x=\"\(svg(bar.x + 52))\" y=\"\(svg(bar.y))\" width=\"110\" height=\"10\" fill=\"url(#levels)\"/>",
                svgLabel(bar.x + 168, lane.top - 8, "\(svg(image.range.high)) dB; a sine of full scale has 0", "soft", size: 11),
            ]
    }
}

/// A lane with the loudness over time, in LUFS.
struct LoudnessLane {
    let lane: Lane
    let elements: [String]

    private static let quietest = -60.0

    init(_ outline: SessionOutline, below y: Double, time: TimeAxis) {
        let loudest = outline.loudness.compactMap(\.momentary).max() ?? -20
        let high = max(-10, (loudest / 10).rounded(.up) * 10)
        lane = Lane(below: y, height: 110, range: (Self.quietest, high), time: time)
        let ticks = stride(from: Self.quietest, through: high, by: high > -20 ? 20 : 10).map { ($0, "\(Int($0)) LUFS") }
        elements = lane.frame(ticks)
            + lane.legend("Loudness", [("momentary (400 ms)", "momentary", 1.5), ("short-term (3 s)", "short", 2.5)])
            + Self.lines(outline, \.momentary, lane, "momentary", 1.5) + Self.lines(outline, \.shortTerm, lane, "short", 2.5)
    }

    /// Returns the curve of a kind of loudness (`level`), as one line for each stretch of time in which it is above the lower edge of the
    /// lane.
    private static func lines(_ outline: SessionOutline, _ level: KeyPath<LoudnessReading, Double?>, _ lane: Lane, _ role: String,
                              _ width: Double) -> [String] {
        let readings = outline.loudness.split { ($0[keyPath: level] ?? -.infinity) <= quietest }
        return readings.map { part in
            svgPath(part.map { reading in
                (lane.time.x(outline.start.rawValue + reading.at.rawValue), lane.y(reading[keyPath: level] ?? quietest))
            }, role, width: width)
        }
    }
}

/// A lane with the peak level over time, in dBFS.
struct PeakLane {
    let lane: Lane
    let elements: [String]

    private static let floor = -60.0

    init(_ outline: SessionOutline, below y: Double, time: TimeAxis) {
        let lane = Lane(below: y, height: 70, range: (Self.floor, 0), time: time)
        let points = outline.columns.enumerated().map { index, column in
            "\(svg(outline.x(ofColumn: index, time))),\(svg(lane.y(column.peak.decibels?.rawValue ?? Self.floor)))"
        }
        let (left, right) = (outline.x(ofColumn: 0, time), outline.x(ofColumn: max(0, outline.columns.count - 1), time))
        self.lane = lane
        let axis = lane.frame([0.0, -20, -40, -60].map { ($0, "\(Int($0)) dBFS") })
        elements = axis + lane.legend("Peak", [("largest sample", "peak", 6)]) + [
            "<polygon class=\"peak\" fill=\"currentColor\" points=\"\(svg(left)),\(svg(lane.bottom)) \(points.joined(separator: " ")) "
                + "\(svg(right)),\(svg(lane.bottom))\"/>",
        ]
    }
}

extension SessionOutline {
    /// Returns the left edge of a column, in pixels.
    fileprivate func x(ofColumn column: Int, _ time: TimeAxis) -> Double {
        time.x(start.rawValue + duration.rawValue * Double(column) / Double(columns.count))
    }
}

/// Returns a frequency as a label, for instance `500 Hz` or `2 kHz`.
private func frequencyLabel(_ hertz: Double) -> String { hertz < 1_000 ? "\(Int(hertz)) Hz" : "\(Int(hertz / 1_000)) kHz" }

/// A spectrogram as a grey image inside an SVG. A filter in the SVG's style maps the greys to colours.
struct SpectrogramImage {
    /// The levels, in dB, that are drawn as black and as white. White is the spectrogram's loudest level, rounded up to a multiple of 10
    /// dB.
    let range: (low: Double, high: Double)
    private let image: GrayImage

    /// How far below the level of white the level of black is, in dB.
    private static let depth = 70.0
    /// The number of grey steps of 1 dB each. Fewer than 256 greys keep the file small.
    private static let steps = 70.0

    init(_ spectrogram: Spectrogram) {
        let levels = spectrogram.levels
        let loudest = levels.max() ?? 0
        let high = min(0, max(-60, (loudest / 10).rounded(.up) * 10))
        let low = high - Self.depth
        range = (low, high)
        let (columns, rows) = (spectrogram.columns, Spectrogram.rows)
        var pixels = [UInt8](repeating: 0, count: columns * rows)
        for column in 0..<columns {
            for row in 0..<rows {
                let part = min(1, max(0, (levels[column * rows + row] - low) / Self.depth))
                pixels[(rows - 1 - row) * columns + column] = UInt8((part * Self.steps).rounded() / Self.steps * 255)
            }
        }
        image = GrayImage(width: columns, height: rows, pixels: pixels)
    }

    func element(x: Double, y: Double, width: Double, height: Double) -> String {
        "<image class=\"levels\" x=\"\(svg(x))\" y=\"\(svg(y))\" width=\"\(svg(width))\" height=\"\(svg(height))\" "
            + "preserveAspectRatio=\"none\" href=\"data:image/png;base64,\(Data(image.png).base64EncodedString())\"/>"
    }
}
