import Escaping

/// A `text` element; `anchor` is which of its ends, or its middle, `x` is. Outlined in white it can be read on lines.
func svgText(_ x: Int, _ y: Int, _ words: String, anchor: String = "start", size: Int = 12, color: String = "#444",
             isOutlined: Bool = false) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" font-size=\"\(size)\" fill=\"\(color)\""
        + (isOutlined ? " stroke=\"#fff\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"" : "")
        + ">\(XML.escaped(words))</text>"
}
