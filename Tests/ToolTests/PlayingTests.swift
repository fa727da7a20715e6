import Experience
import Fields
import Journal
import Signals
import SystemPackage
import TestSupport
import Testing
import Units
import Wire

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

@Suite struct RehearsalPlanTests {
    /// A piece that asks a theme for one of each.
    private static let piece = Declaration(name: "rehearsed", rulesVersion: 1, about: "", chimes: ["ding"], textures: ["purr"], haptics: ["swipe"])

    private let plan = RehearsalPlan(
        RehearsalList(scenes: [.init(topic: "unlock", name: "common"), .init(topic: "unlock", name: "rare"), .init(topic: "reset", name: "begun")]),
        chimes: NameList(names: ["award", "ding"]), haptics: NameList(names: ["award", "swipe", "touch-down"]),
        textures: NameList(names: ["pant", "purr"]), of: piece)

    @Test func `announcements come first, then chimes, patterns and textures, and only what is held is let go of`() throws {
        let steps = try plan.steps(only: [])
        #expect(steps.map(\.words) == [
            "unlock/common", "unlock/rare", "reset/begun", "chime/ding", "haptic/swipe", "haptic/touch-down", "texture/purr",
        ], "and nothing of the theme that is for other pieces")
        #expect(steps[1].begin == RehearsalPlan.Request(method: "rehearse", pairs: ["topic=unlock", "name=rare"]))
        #expect(steps.filter { $0.end != nil }.map(\.topic) == ["texture"])
        #expect(RehearsalPlan.line(2, of: 43, steps[1]) == " 2 of 43  unlock, rare")
    }

    @Test func `a topic means all of its kinds, and a word that names none is refused with what there is`() throws {
        #expect(try plan.steps(only: ["unlock", "chime/ding"]).map(\.words) == ["unlock/common", "unlock/rare", "chime/ding"])
        let topic = try #require(throws: Fault.self) { try plan.steps(only: ["unlok"]) }
        #expect(topic.expected == "one of unlock, reset, chime, haptic, texture" && topic.found == "\"unlok\" (did you mean unlock?)")
        let name = try #require(throws: Fault.self) { try plan.steps(only: ["unlock/rear"]) }
        #expect(name.expected == "one of unlock/common, unlock/rare" && name.found == "\"unlock/rear\" (did you mean unlock/rare?)")
    }
}

@Suite struct ReplayPlanTests {
    /// At 48,000 frames a second: two touches, which end after 3 s, and an end of the session at 33 s.
    private func plan(_ end: SessionEnd) throws -> ReplayPlan {
        func touch(_ phase: Touch.Phase, _ second: Int64) -> JournalEntry {
            .event(Event(client: .connection(1), .touch(Touch(phase))), at: Frame(second * 48_000))
        }
        let entries: [JournalEntry] = [
            .header(JournalHeader(sampleRate: .standard, seed: 7, experience: "direct", started: "2026-01-02T03:04:05Z", theme: .standard)),
            touch(.began, 0), touch(.ended, 1), touch(.began, 2), touch(.ended, 3), .end(end, at: Frame(33 * 48_000)),
        ]
        let scratch = try Scratch()
        let text = entries.map { String(decoding: JournalLine.encode($0), as: UTF8.self) }.joined()
        return try ReplayPlan(FilePath(try scratch.write(text, to: "a.jsonl")))
    }

    @Test func `a session that ended because nobody was there is over 15 s behind what was done last`() throws {
        #expect(try plan(.idle).end == Frame(18 * 48_000))
    }

    @Test(arguments: [SessionEnd.request, .shutdown, .rollOver])
    func `a session that was ended is replayed to its end`(end: SessionEnd) throws {
        #expect(try plan(end).end == Frame(33 * 48_000))
    }
}
