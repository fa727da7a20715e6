import Fields
import Testing
import Wire

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

@Suite struct MeterTests {
    @Test func `a bar is as long as its level is above -60 dBFS, and ends at 0`() {
        var meter = Meter()
        let now = ContinuousClock.now
        for (level, cells) in [(-120.0, "░░░░░░"), (-60, "░░░░░░"), (-30, "███░░░"), (0, "██████"), (6, "██████")] {
            meter.take(MeterReport(peak: level, rms: level), at: now)
            #expect(meter.rmsBar(columns: 6) == cells)
        }
    }

    @Test func `a peak stays marked for two seconds, or until there is a higher one`() {
        var meter = Meter()
        let now = ContinuousClock.now
        meter.take(MeterReport(peak: -10, rms: -20), at: now)
        meter.take(MeterReport(peak: -50, rms: -50), at: now + .milliseconds(1_999))
        #expect(meter.held == -10 && meter.peakBar(columns: 6) == "█░░░│░")
        meter.take(MeterReport(peak: -50, rms: -50), at: now + .seconds(2))
        #expect(meter.held == -50 && meter.peakBar(columns: 6) == "█░░░░░")
        meter.take(MeterReport(peak: -20, rms: -50), at: now + .milliseconds(2_001))
        #expect(meter.held == -20)
    }
}

/// `thrum watch` where its output is no terminal.
@Suite struct WatchLinesTests {
    private let start = ContinuousClock.now

    private func told(_ method: String, _ params: [String: JSONValue]) -> ReceivedNotification { ReceivedNotification(method: method, params: params) }

    @Test func `a line begins with the seconds since the session's start, and with a dash where there is none`() {
        var lines = WatchLines(session: nil, at: start)
        func line(_ method: String, _ params: [String: JSONValue], after seconds: Double) -> String {
            lines.line(told(method, params), at: start.advanced(by: .milliseconds(Int(seconds * 1000))))
        }
        #expect(line("fault", [:], after: 1) == "         -  fault        ")
        #expect(line("session", ["phase": .text("began"), "number": .integer(1)], after: 2) == "     0.000  session      phase=began")
        #expect(line("cue", ["cue": .text("chime"), "name": .text("ding")], after: 14.345) == "    12.345  cue          cue=chime name=ding")
        #expect(line("session", ["phase": .text("ended")], after: 62) == "    60.000  session      phase=ended")
        #expect(line("fault", [:], after: 63).hasPrefix("         -  "))
        var joined = WatchLines(session: 100, at: start)
        #expect(joined.line(told("reset", ["index": .integer(0)]), at: start.advanced(by: .seconds(1))) == "   101.000  reset        index=0")
    }

    @Test func `fields are short: two digits, an object by its name, a list of objects by its length`() {
        let skin = JSONValue.object(["id": .text("azure"), "name": .text("Azure"), "colors": .list([.text("#1e8fff")])])
        let tone = JSONValue.object(["level": .number(-59.784), "isOpen": .flag(false)])
        let words = told("scroll", ["number": .integer(9), "pChurn": .number(0.007837), "card": .object(["index": .integer(3), "skin": skin]),
                                    "rows": .list([skin, skin]), "issues": .list([.text("a"), .text("b")]), "tone": tone]).words
        #expect(words == "scroll       card={index=3 skin=Azure} issues=a,b pChurn=0.01 rows=[2] tone={isOpen=false level=-59.78}")
    }

    @Test func `a line has 160 columns at most, and is whole where it fits`() {
        var lines = WatchLines(session: 0, at: start)
        // 10 for the time, 2, 13 for the topic, 2 for a=, and 133.
        let fitting = lines.line(told("event", ["a": .text(String(repeating: "x", count: 133))]), at: start)
        #expect(fitting.count == 160 && fitting.hasSuffix("x"))
        let longer = lines.line(told("event", ["a": .text(String(repeating: "x", count: 134))]), at: start)
        #expect(longer.count == 160 && longer.hasSuffix("x…"))
    }
}
