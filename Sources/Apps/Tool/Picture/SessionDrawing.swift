import Offline

/// A session as an SVG.
struct SessionDrawing {
    static let columns = 1100

    static let left = 112.0
    static let width = Double(columns)
    private static let margin = 28.0

    let svg: String

    /// `style` nil: that of whoever looks at it. `name` is the session's, for people.
    init(_ outline: SessionOutline, named name: String, style: PictureStyle? = nil) {
        let time = Self.axis(start: outline.start.rawValue, duration: outline.duration.rawValue)
        let panel = SessionPanel(outline, named: name, top: 10, time: time)
        svg = Self.document(panel.elements, height: panel.bottom + 8, style: style)
    }

    static func axis(start: Double, duration: Double) -> TimeAxis {
        TimeAxis(start: start, duration: max(duration, 0.001), left: left, width: width)
    }

    /// `elements` on a page.
    static func document(_ elements: [String], height: Double, style: PictureStyle?) -> String {
        ([
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(Int(left + width + margin)) \(Int(height))\" "
                + "font-family=\"Inter, system-ui, 'DejaVu Sans', sans-serif\" font-size=\"12\">",
        ] + PictureStyle.definitions(style) + ["<rect class=\"page\" width=\"100%\" height=\"100%\" fill=\"currentColor\"/>"] + elements
            + ["</svg>"]).joined(separator: "\n") + "\n"
    }
}
