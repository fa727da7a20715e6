import Testing

@testable import Tool

@Suite struct LiveControlsTests {
    private func pressing(_ keys: String) -> LiveControls {
        var controls = LiveControls()
        for key in keys.utf8 { controls.press(key) }
        return controls
    }

    @Test func `q quits, but not within a filter's text`() {
        #expect(pressing("xq").wantsToQuit)
        #expect(!pressing("/q").wantsToQuit && pressing("/q").filter == "q")
        #expect(pressing("/q\rq").wantsToQuit)
    }

    @Test func `p pauses and goes on`() {
        #expect(pressing("p").isPaused && !pressing("pp").isPaused && pressing("p p").isPaused)
        #expect(pressing("p").hint(waiting: 3).contains("(paused, 3 more)"))
    }

    @Test func `a filter is typed, corrected, kept and taken away`() {
        #expect(pressing("/tost\u{7F}\u{7F}ast\r").filter == "toast")
        #expect(pressing("/grün\u{8}").filter == "grü", "a character goes as a whole")
        #expect(pressing("/toast").isTyping && pressing("/toast").hint(waiting: 0).hasPrefix("filter: toast"))
        #expect(pressing("/toast\r").hint(waiting: 0) == "q quits, p pauses, / filters (toast), Esc shows all")
        #expect(pressing("/toast\u{1B}").filter == "" && !pressing("/toast\u{1B}").isTyping)
        #expect(pressing("/toast\r\u{1B}").filter == "")
        #expect(pressing("/" + String(repeating: "x", count: 99)).filter.count == 64)
    }

    @Test func `an arrow key does nothing`() { #expect(pressing("\u{1B}[A").hint(waiting: 0) == "q quits, p pauses, / filters") }
}
