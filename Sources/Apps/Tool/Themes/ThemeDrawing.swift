import Experience
import Fields
import Signals
import Units

/// A theme as an SVG: above, the tone's pitch and level by the number of cards seen, and its partials; below, its chimes and textures.
struct ThemeDrawing {
    private static let width = 900
    private static let left = 80
    private static let pitchTop = 60
    private static let levelTop = 280
    private static let toneHeight = 180
    private static let partialsTop = 520
    private static let heading = 84
    private var hasPartials: Bool { hasTone && theme.tonePartials != TonePartial.sine }
    private var chimeTop: Int { hasPartials ? Self.partialsTop + PartialsDrawing.height : hasTone ? 540 : Self.heading }
    private var chimeGrid: PanelGrid {
        PanelGrid(chimes.count, columns: 3, top: chimeTop, left: Self.left, width: Self.width, height: ChimeDrawing.height)
    }
    private var textureGrid: PanelGrid {
        PanelGrid(textures.count, columns: 2, top: chimeGrid.bottom, left: Self.left, width: Self.width, height: TextureDrawing.height)
    }
    /// The range of the pitch axis in Hz. Beside it is the lower end of the level axis in dBFS.
    private static let pitches = 50.0...20_000
    private static let floor = -80.0

    private let theme: Theme
    private let hasTone: Bool
    private let chimes: [(key: String, value: Chime)]
    private let textures: [(key: String, value: Texture)]

    /// Draws the whole theme or, if `part` is given, only that part.
    init(_ theme: Theme, part: ThemePart? = nil) {
        self.theme = theme
        hasTone = part == nil || part == .tone
        chimes = theme.chimes.filter { part == nil || part == .chime($0.key) }.sorted { $0.key < $1.key }
        textures = theme.textures.filter { part == nil || part == .texture($0.key) }.sorted { $0.key < $1.key }
    }

    var svg: String {
        var lines = [svgText(Self.left, 30, theme.name, size: 16)]
        if hasTone { lines += tone }
        if hasPartials { lines += partials }
        lines += chimes.indices.flatMap(chime)
        lines += textures.indices.flatMap(texture)
        return svgDocument(width: Self.width + 160, height: textureGrid.bottom, lines)
    }

    private var tone: [String] {
        let (right, ceiling) = (Self.left + Self.width, levelY(theme.ceiling.rawValue))
        let (first, last) = (corners[0], corners[corners.count - 1])
        func pitchY(_ pitch: Hertz) -> Int { y(ofPitch: pitch.rawValue, Self.pitchTop, Self.toneHeight) }
        func label(_ y: Int, _ words: String) -> String { svgText(Self.left - 8, y + 4, words, anchor: "end") }
        let partials = theme.tonePartials.filter { $0.ratio > 1 }.flatMap { partial in
            pitchLines(ofRatio: partial.ratio, width: 1.5, opacity: max(0.2, 1 + partial.level.rawValue / 60))
        }
        let pitches = [
            svgText(Self.left, Self.pitchTop - 8, "the tone's pitch, on average"
                + (partials.isEmpty ? "" : ", and its partials, fainter as they are softer")),
            label(pitchY(first.pitch), "\(first.pitch.rawValue.fixed(0)) Hz"),
            svgText(right + 8, pitchY(last.pitch) + 4, "\(last.pitch.rawValue.fixed(0)) Hz"),
        ]
        let levels = zip(corners, corners.dropFirst()).map { a, b in
            toneLine((cardX(a.part), levelY(a.level.rawValue)), (cardX(b.part), levelY(b.level.rawValue)), width: 3, opacity: 1)
        }
        let turns = zip(corners, theme.toneCurve.points).dropFirst().dropLast()
        let marks = turns.flatMap { corner, _ in
            [pitchY(corner.pitch), levelY(corner.level.rawValue)].map { y in
                "<circle cx=\"\(cardX(corner.part).fixed(1))\" cy=\"\(y)\" r=\"4\" fill=\"#4a7ebb\"/>"
            }
        } + labels(turns.map { corner, point in
            (cardX(corner.part), pitchY(corner.pitch), "\(point.views) cards, \(corner.pitch.rawValue.fixed(0)) Hz")
        }) + labels(turns.map { corner, _ in
            (cardX(corner.part), levelY(corner.level.rawValue), "\(corner.level.rawValue.fixed(0)) dBFS")
        })
        return grid(top: Self.pitchTop, height: Self.toneHeight, except: [pitchY(first.pitch)])
            + partials + pitchLines(ofRatio: 1, width: 3, opacity: 1) + pitches + [
                svgText(Self.left, Self.levelTop - 8, "its level"),
                "<line x1=\"\(Self.left)\" x2=\"\(right)\" y1=\"\(ceiling)\" y2=\"\(ceiling)\" stroke=\"#b3243b\" "
                    + "stroke-dasharray=\"6 4\"/>",
                svgText(right, ceiling - 5, "ceiling \(Fault.plain(theme.ceiling.rawValue)) dBFS", anchor: "end", color: "#b3243b"),
            ] + levels + marks + [
                label(levelY(first.level.rawValue), "\(first.level.rawValue.fixed(0)) dBFS"),
                svgText(right + 8, levelY(last.level.rawValue) + 4, "\(last.level.rawValue.fixed(0)) dBFS"),
                svgText(Self.left, Self.levelTop + Self.toneHeight + 18, "no card"),
                svgText(right, Self.levelTop + Self.toneHeight + 18, "\(theme.toneCurve.views) cards", anchor: "end"),
            ]
    }

    /// The corners of the tone curve: the fraction of the curve's cards that have been seen, the pitch and the level.
    private var corners: [(part: Double, pitch: Hertz, level: Decibels)] {
        let views = Double(theme.toneCurve.views)
        return theme.toneCurve.points.map { (Double($0.views) / views, $0.frequency, $0.level) }
    }

    /// Returns lines for a partial of the tone, at `ratio` times its pitch, as far as the pitch axis reaches.
    private func pitchLines(ofRatio ratio: Int, width: Double, opacity: Double) -> [String] {
        zip(corners, corners.dropFirst()).compactMap { a, b in
            let (from, to, top) = (a.pitch.rawValue * Double(ratio), b.pitch.rawValue * Double(ratio), Self.pitches.upperBound)
            guard min(from, to) < top else { return nil }
            let octaves = log2(to / from)
            let crossing = octaves == 0 ? 1 : log2(top / from) / octaves
            func point(_ way: Double) -> (Double, Int) {
                (cardX(a.part + (b.part - a.part) * way), y(ofPitch: from * exp2(octaves * way), Self.pitchTop, Self.toneHeight))
            }
            return toneLine(point(from > top ? crossing : 0), point(to > top ? crossing : 1), width: width, opacity: opacity)
        }
    }

    private func toneLine(_ from: (x: Double, y: Int), _ to: (x: Double, y: Int), width: Double, opacity: Double) -> String {
        "<line x1=\"\(from.x.fixed(1))\" x2=\"\(to.x.fixed(1))\" y1=\"\(from.y)\" y2=\"\(to.y)\" stroke=\"#4a7ebb\" "
            + "stroke-width=\"\(Fault.plain(width))\" stroke-opacity=\"\(opacity.fixed(2))\"/>"
    }

    private var partials: [String] { PartialsDrawing(theme.tonePartials, top: Self.partialsTop, left: Self.left, width: Self.width).shapes }

    private func texture(_ index: Int) -> [String] {
        let (left, top) = textureGrid.position(of: index)
        return TextureDrawing(textures[index].key, of: theme, top: top, left: left, width: textureGrid.panel).shapes
    }

    private func chime(_ index: Int) -> [String] {
        let (left, top) = chimeGrid.position(of: index)
        return ChimeDrawing(chimes[index].key, chimes[index].value, top: top, left: left, width: chimeGrid.panel).shapes
    }

    /// Returns labels for points of the tone's curve: above a point, or below it where there is no room above. A label that fits in neither
    /// place is left out; `thrum theme show` lists all values.
    private func labels(_ labels: [(x: Double, y: Int, words: String)]) -> [String] {
        var taken = labels.map { (across: ($0.x - 6)...($0.x + 6), y: $0.y + 4) }
        return labels.compactMap { label in
            let half = Double(label.words.count) * 3.5
            let middle = min(max(label.x, Double(Self.left) + half), Double(Self.left + Self.width) - half)
            let across = (middle - half)...(middle + half)
            let free = [label.y - 10, label.y + 20].first { y in !taken.contains { $0.across.overlaps(across) && abs($0.y - y) < 13 } }
            guard let free else { return nil }
            taken.append((across, free))
            return svgText(Int(middle), free, label.words, anchor: "middle", isOutlined: true)
        }
    }

    /// Returns grid lines two octaves apart, each labelled with its frequency. A line loses its label near one of `heights`, in
    /// pixels at which there are other labels.
    private func grid(top: Int, height: Int, except heights: [Int] = []) -> [String] {
        [100.0, 400, 1600, 6400].flatMap { pitch in
            let y = y(ofPitch: pitch, top, height)
            return [svgGridLine(Self.left, y, width: Self.width)]
                + (heights.contains { abs($0 - y) < 14 } ? []
                    : [svgText(Self.left - 8, y + 4, "\(Int(pitch)) Hz", anchor: "end", color: "#888")])
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

    private func cardX(_ part: Double) -> Double { Double(Self.left) + part * Double(Self.width) }
}

/// Panels of equal size in rows and columns, in pixels. A single panel has the whole width.
private struct PanelGrid {
    /// The space between two panels side by side; it contains the axis of the right one.
    private static let gap = 90

    private let columns: Int
    private let top: Int
    private let left: Int
    private let height: Int
    /// The width of a panel, in pixels.
    let panel: Int
    /// The lower edge of the last row, in pixels.
    let bottom: Int

    /// Makes a grid of `count` panels in at most `most` columns. `top`, `left` and `width` are those of the whole grid; `height` is that of
    /// one panel with its labels.
    init(_ count: Int, columns most: Int, top: Int, left: Int, width: Int, height: Int) {
        columns = max(1, min(most, count))
        panel = (width - (columns - 1) * Self.gap) / columns
        bottom = top + (count + columns - 1) / columns * height
        self.top = top
        self.left = left
        self.height = height
    }

    func position(of index: Int) -> (left: Int, top: Int) { (left + index % columns * (panel + Self.gap), top + index / columns * height) }
}
