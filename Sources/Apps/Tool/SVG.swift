/// A `text` element; `anchor` is which of its ends, or its middle, `x` is. The words are escaped already. Outlined in white it can be read
/// on lines.
func svgText(_ x: Int, _ y: Int, _ words: String, anchor: String = "start", size: Int = 12, color: String = "#444",
             isOutlined: Bool = false) -> String {
    "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\" font-size=\"\(size)\" fill=\"\(color)\""
        + (isOutlined ? " stroke=\"#fff\" stroke-width=\"4\" stroke-linejoin=\"round\" paint-order=\"stroke\"" : "") + ">\(words)</text>"
}

/// Escaped for XML.
func escaped(_ text: String) -> String {
    text.map { ["&": "&amp;", "<": "&lt;", ">": "&gt;"][$0] ?? String($0) }.joined()
}
