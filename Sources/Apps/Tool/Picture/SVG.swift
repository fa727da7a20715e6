import Escaping
import Experience

/// Formats a number for an SVG, to a tenth of a pixel.
func svg(_ number: Double) -> String {
    let text = number.fixed(1)
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
}

/// Returns a `text` element in the colour of `role`.
func svgLabel(_ x: Double, _ y: Double, _ words: String, _ role: String, anchor: String = "start", size: Int = 12,
              bold: Bool = false) -> String {
    "<text class=\"\(role)\" x=\"\(svg(x))\" y=\"\(svg(y))\" fill=\"currentColor\" font-size=\"\(size)\""
        + (anchor == "start" ? "" : " text-anchor=\"\(anchor)\"") + (bold ? " font-weight=\"600\"" : "")
        + ">\(XML.escaped(words))</text>"
}

/// Returns a filled rectangle. `title` is shown when the pointer is over it.
func svgBox(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ role: String, opacity: Double = 1, radius: Int = 0,
            title: String? = nil) -> String {
    "<rect class=\"\(role)\" x=\"\(svg(x))\" y=\"\(svg(y))\" width=\"\(svg(width))\" height=\"\(svg(height))\" fill=\"currentColor\""
        + (opacity < 1 ? " fill-opacity=\"\(opacity.fixed(2))\"" : "") + (radius > 0 ? " rx=\"\(radius)\"" : "")
        + (title.map { "><title>\(XML.escaped($0))</title></rect>" } ?? "/>")
}

/// Returns a hatched rectangle in the colour of damage. `title` is shown when the pointer is over the rectangle.
func svgHatch(_ x: Double, _ y: Double, _ width: Double, _ height: Double, opacity: Double = 1, title: String? = nil) -> String {
    "<rect x=\"\(svg(x))\" y=\"\(svg(y))\" width=\"\(svg(width))\" height=\"\(svg(height))\" fill=\"url(#hatch)\""
        + (opacity < 1 ? " opacity=\"\(opacity.fixed(2))\"" : "")
        + (title.map { "><title>\(XML.escaped($0))</title></rect>" } ?? "/>")
}

/// Returns a straight line in the colour of `role`.
func svgLine(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, _ role: String, width: Double = 1, dashes: String? = nil) -> String {
    "<line class=\"\(role)\" x1=\"\(svg(x1))\" y1=\"\(svg(y1))\" x2=\"\(svg(x2))\" y2=\"\(svg(y2))\" stroke=\"currentColor\""
        + (width == 1 ? "" : " stroke-width=\"\(svg(width))\"") + (dashes.map { " stroke-dasharray=\"\($0)\"" } ?? "") + "/>"
}

/// Returns a line through `points` in the colour of `role`. A single point becomes a dot.
func svgPath(_ points: [(x: Double, y: Double)], _ role: String, width: Double, dashes: String? = nil) -> String {
    // A polyline with one point draws nothing, so the point is doubled.
    let points = points.count == 1 ? points + points : points
    return "<polyline class=\"\(role)\" fill=\"none\" stroke=\"currentColor\" stroke-width=\"\(svg(width))\" stroke-linejoin=\"round\" "
        + (dashes.map { "stroke-dasharray=\"\($0)\" " } ?? "")
        + "stroke-linecap=\"round\" points=\"" + points.map { "\(svg($0.x)),\(svg($0.y))" }.joined(separator: " ") + "\"/>"
}

/// Returns a `text` element. `anchor` says which part of the text is at `x`: `start`, `middle` or `end`. With `isOutlined` the text has a
/// white outline, so that it can be read on top of lines.
func svgText(_ x: Int, _ y: Int, _ words: String, anchor: String = "start", size: Int = 12, color: String = "#444",
             isOutlined: Bool = false) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" font-size=\"\(size)\" fill=\"\(color)\""
        + (isOutlined ? " stroke=\"#fff\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"" : "")
        + ">\(XML.escaped(words))</text>"
}

/// Returns a horizontal grid line, `width` pixels long.
func svgGridLine(_ left: Int, _ y: Int, width: Int) -> String {
    "<line x1=\"\(left)\" x2=\"\(left + width)\" y1=\"\(y)\" y2=\"\(y)\" stroke=\"#ddd\"/>"
}

/// Returns an SVG document with `elements` on a white background.
func svgDocument(width: Int, height: Int, _ elements: [String]) -> String {
    ([
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 \(width) \(height)\" font-family=\"sans-serif\" font-size=\"12\">",
        "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>",
    ] + elements + ["</svg>"]).joined(separator: "\n") + "\n"
}
