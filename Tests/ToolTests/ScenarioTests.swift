import Fields
import Testing
@testable import Tool

@Suite struct ScenarioTests {
    @Test func `requests come at the sum of the waits before them, and the last wait counts for the length`() throws {
        let scenario = try Scenario("# a visitor\ntouch phase=began\n\n500ms\n  touch phase=ended # up\n1.5s\nstop\n2s\n", name: "a")
        #expect(scenario.steps.map(\.at) == [.zero, .milliseconds(500), .seconds(2)])
        #expect(scenario.steps.map(\.line) == [2, 5, 7])
        #expect(scenario.steps.map(\.message.method) == ["touch", "touch", "stop"])
        #expect(scenario.duration == .seconds(4))
    }

    @Test(arguments: [
        (#"journal.mark text="two words # no comment" # a comment"#, ["journal.mark", #"text="two words # no comment""#]),
        (#"chime.play name='it "says" so'"#, ["chime.play", #"name=it "says" so"#]),
        (#"chime.play 'name=a b'"#, ["chime.play", "name=a b"]),
        (#"chime.play name="a \"b\" c"  delay=5"#, ["chime.play", #"name="a \"b\" c""#, "delay=5"]),
        (#"haptic.play ahap={"Pattern": [], "a b":1}"#, ["haptic.play", #"ahap={"Pattern":"#, "[],", #""a b":1}"#]),
        ("journal.mark text=it's\tfine", ["journal.mark", "text=it's", "fine"]),
        ("chime.play name=''", ["chime.play", "name="]),
        ("  # nothing", []),
    ])
    func `words may have spaces between quotes`(line: String, words: [String]) throws {
        #expect(try QuotedWords(line).words == words)
    }

    @Test func `a value in quotes reaches the daemon as one text`() throws {
        let scenario = try Scenario("journal.mark text=\"the door opens\"\nchime.play name='low bell'", name: "a")
        let lines = try scenario.steps.map { String(decoding: try $0.message.line(id: 1), as: UTF8.self) }
        #expect(lines.count == 2 && lines[0].contains(#""text":"the door opens""#) && lines[1].contains(#""name":"low bell""#))
    }

    @Test(arguments: [
        ("stop\nchime.play name=\"a b\n", #"a:2: name="a b: expected a " that closes this one, found none"#),
        ("chime 'name=a\n", "a:1: name=a: expected a ' that closes this one, found none"),
        ("500\n", #"a:1: expected a time such as 500ms or 2s, found "500""#),
        ("stop\n5ms 3\n", #"a:2: expected a time such as 500ms or 2s, found "5ms""#),
        ("86401s\n", #"a:1: expected a time such as 500ms or 2s, found "86401s""#),
        ("stop\n\ntouch began\n", "a:3: began: expected key=value"),
    ])
    func `a line that is neither a request nor a wait is told with its number`(text: String, expected: String) throws {
        let fault = try #require(throws: Fault.self) { try Scenario(text, name: "a") }
        #expect("\(fault)" == expected)
    }
}
