import Experience
import Fields
import Testing
import Wire

@testable import Tool

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
