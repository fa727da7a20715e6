import Fields
import Testing

@testable import Tool

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
