import Escaping
import Testing

@Suite struct EscapingTests {
    /// RFC 4180, section 2, rules 5 to 7.
    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("a,b", "\"a,b\""), ("say \"yes\"", "\"say \"\"yes\"\"\""), ("a\nb", "\"a\nb\""), ("a\r\nb", "\"a\r\nb\""),
        (",\u{338}", "\",\u{338}\""), ("\"\u{338}", "\"\"\"\u{338}\""), ("a\u{200D},", "\"a\u{200D},\""), ("\u{301}", "\u{301}"),
    ])
    func `a cell has quotes where a reader would take a scalar for the end of it`(text: String, cell: String) {
        #expect(Array(CSV.text(text).unicodeScalars) == Array(cell.unicodeScalars))
    }

    /// The signs are OWASP's, "CSV injection".
    @Test(arguments: ["=HYPERLINK(1)", "+1", "-1", "@SUM(A1)", "\tx", "=\u{338}", "\u{FF1D}1", "'=1", "''=1"])
    func `text that a spreadsheet would run has an apostrophe in front`(text: String) {
        #expect(CSV.text(text) == "'" + text)
    }

    @Test(arguments: ["'", "'tis", "a=1", " =1", "1-2", "''"])
    func `other text has none`(text: String) { #expect(CSV.text(text) == text) }

    @Test func `a cell that begins with a line break has both`() {
        #expect(CSV.text("\r=1") == "\"'\r=1\"")
        #expect(CSV.text("\n") == "\"'\n\"")
    }

    /// XML 1.0, sections 2.2 (which scalars there may be), 2.4 (which are escaped) and 3.3.3 (what attributes lose).
    @Test(arguments: [
        ("<b> & \"c\" 'd'", "&lt;b&gt; &amp; &quot;c&quot; 'd'"), ("<\u{338}", "&lt;\u{338}"), ("&\u{200D}", "&amp;\u{200D}"),
        ("a\tb\nc\rd\r\n", "a&#9;b&#10;c&#13;d&#13;&#10;"), ("\u{0}\u{1}\u{1B}\u{1F}", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        ("\u{FFFE}\u{FFFF}", "\u{FFFD}\u{FFFD}"), ("\u{7F}\u{9B}\u{FFFD}\u{1FFFE}\u{10FFFF}", "\u{7F}\u{9B}\u{FFFD}\u{1FFFE}\u{10FFFF}"),
    ])
    func `what XML reads otherwise is escaped, and what it has no place for is replaced`(text: String, escaped: String) {
        #expect(Array(XML.escaped(text).unicodeScalars) == Array(escaped.unicodeScalars))
    }

    /// ECMA-48: C0, DEL and C1. The Unicode property Bidi_Control.
    @Test func `what a terminal obeys is a dot, and nothing else is`() {
        let controls = (0...0x1F).map { UInt32($0) } + Array(0x7F...0x9F)
        let bidi: [UInt32] = [0x61C, 0x200E, 0x200F] + Array(0x202A...0x202E) + Array(0x2066...0x2069)
        let obeyed = (controls + bidi + [0x2028, 0x2029]).compactMap(Unicode.Scalar.init)
        for scalar in obeyed { #expect("a\(scalar)\u{301}b".printable == "a·\u{301}b", "\(scalar.value)") }
        let kept = "a é e\u{301} 👩\u{200D}🚀 \u{FEFF} \u{FFFE} ~"
        #expect(kept.printable == kept)
        #expect("\u{1B}[31mred\u{9B}0m\r\n".printableLines == "·[31mred·0m·\n")
        #expect("a\nb\r".printable == "a·b·")
    }

    @Test func `JSON keeps what it says`() {
        #expect("{\n  \"a\" : \"\u{9B}\u{202E}\u{7F}é\"\n}".printableJSON == "{\n  \"a\" : \"\\u009b\\u202e\\u007fé\"\n}")
    }

    /// UAX #11 and UTS #51.
    @Test(arguments: [
        ("", 0), ("abc", 3), ("e\u{301}", 1), ("\u{301}", 0), ("\u{200D}", 0), ("日本", 4), ("ｱ", 1), ("한", 2), ("👩\u{200D}🚀", 2), ("🇩🇪", 2),
        ("❤\u{FE0F}", 2), ("❤", 1), ("ä", 1), ("Ａ", 2),
    ])
    func `columns are counted as terminals do`(text: String, columns: Int) {
        #expect(text.columns == columns)
        #expect(text.padded(to: 5) == text + String(repeating: " ", count: 5 - columns))
        #expect(text.alignedRight(to: 5).unicodeScalars.count == 5 - columns + text.unicodeScalars.count)
    }

    @Test func `a line is cut where its columns are full`() {
        #expect("日本語".start(to: 5) == "日本")
        #expect("e\u{301}x".start(to: 1) == "e\u{301}")
        #expect("abc".start(to: 0).isEmpty)
    }
}
