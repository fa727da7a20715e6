import Experience
import Fields
@testable import ScrollKitty
import Signals
import Testing

@Suite struct OnboardingTests {
    @Test func `25 steps: two to begin, nine questions, five results, nine to set up`() {
        let kinds = Step.allCases.map(\.kind)
        #expect(kinds.count == 25 && kinds.count { $0 == .intro } == 2)
        #expect(kinds.count { $0 == .survey } == 9 && kinds.count { $0 == .result } == 5 && kinds.count { $0 == .setUp } == 9)
        #expect(Step.allCases.allSatisfy { !$0.title.en.isEmpty && !$0.title.de.isEmpty })
    }

    @Test func `steps tell what the actions that answer them may be given`() throws {
        var keeper = Keeper()
        func entry(_ step: Step) -> OnboardingState.Entry? {
            OnboardingState(keeper.piece.onboarding, for: keeper.cat, .full).steps.first { $0.step == step.rawValue }
        }
        #expect(entry(.apps)?.most == 10)
        #expect(entry(.goal).map { [$0.lowest, $0.highest, $0.by] } == [3, 8, 0.5])
        #expect(entry(.cooldown)?.minutes == [10, 20, 30, 45, 60])
        try keeper.act(.knob(KnobChange("health-per-app", .flag(true))))
        #expect(entry(.cooldown)?.minutes == Array(10...60))
    }

    /// 5 h: 40 · 5/12 = 16.67; six times "sometimes", 2 of 4: 30. 5/24 of 59 years.
    @Test func `the score is the documented formula`() throws {
        let score = Score(hours: 5, age: .from18, scales: Array(repeating: 2, count: 6))
        #expect(score.addiction == 47 && score.yearsLost == 12.3 && score.averageHours == 8.5 && score.hoursAboveAverage == -3.5)
        #expect(Score(hours: 24, age: .from25, scales: [4, 4, 4]).addiction == 100 && Score(hours: 0, age: .from51, scales: [0]).addiction == 0)
        #expect(Score(hours: 9.2, age: .from25, scales: [0]).hoursAboveAverage == 2)
        #expect(Score(hours: 4, age: .from41, scales: [0]).averageHours == nil)
    }

    @Test func `someone goes through all of it, and nothing is taken that is no answer`() throws {
        var keeper = Keeper()
        func refused(_ fields: [String: JSONValue]) -> String? {
            do {
                var other = keeper
                try other.act("kitty.onboard", fields)
                return nil
            } catch { return "\(error)" }
        }
        #expect(refused(["step": .text("dance")])?.hasPrefix("step: expected one of splash") == true)
        #expect(refused(["step": .text("hours"), "number": .number(25)])?.hasPrefix("number: expected a number from 0 to 24") == true)
        #expect(refused(["step": .text("hours"), "choice": .text("often")]) == "choice: expected none, because hours has a number")
        #expect(refused(["step": .text("wake"), "choice": .text("perhaps")])?.hasPrefix("choice: expected one of never") == true)
        #expect(refused(["step": .text("apps")]) == "step: expected the action kitty.apps instead, found apps")
        #expect(refused(["step": .text("score")])?.hasPrefix("step: expected first answers to hours, age") == true)
        try keeper.act("kitty.onboard", ["step": .text("hours"), "number": .number(5)])
        try keeper.act("kitty.onboard", ["step": .text("age"), "choice": .text("18-24")])
        for step in ["wake", "sleep", "meals", "reflex", "effort", "without"] {
            try keeper.act("kitty.onboard", ["step": .text(step), "choice": .text("sometimes")])
        }
        #expect(keeper.piece.onboarding.score(.full)?.addiction == 47, "whether somebody feels addicted does not count")
        try keeper.act("kitty.onboard", ["step": .text("addicted"), "choice": .text("always")])
        #expect(keeper.piece.onboarding.score(.full)?.addiction == 47)
        for step in ["splash", "welcome", "loading", "score", "years", "comparison", "hope", "meet", "health", "ready"] { try keeper.act("kitty.onboard", ["step": .text(step)]) }
        try keeper.act("kitty.onboard", ["step": .text("commitment"), "choice": .text("yes")])
        try keeper.act("kitty.apps", names("A"))
        try keeper.act("kitty.goal", ["hours": .number(3.5)])
        try keeper.act("kitty.cooldown", ["minutes": .integer(30)])
        try keeper.act("kitty.window", ["days": .text("daily"), "start": .text("00:00"), "until": .text("24:00")])
        #expect(keeper.piece.onboarding.next(.full) == nil && keeper.piece.onboarding.isCommitted && keeper.cat.goal == 210)
        keeper.restart()
        #expect(keeper.piece.onboarding.next(.full) == nil)
    }

    @Test func `three questions are enough for a visit, and six for the authors' nine steps`() throws {
        var keeper = Keeper()
        try keeper.act("kitty.onboard", ["step": .text("hours"), "number": .number(6)])
        try keeper.act("kitty.onboard", ["step": .text("addicted"), "choice": .text("sometimes")])
        #expect(keeper.piece.onboarding.score(.quick) == nil)
        #expect(throws: Fault.self) { try keeper.act("kitty.onboard", ["step": .text("years")]) }
        try keeper.act("kitty.onboard", ["step": .text("age"), "choice": .text("25-30")])
        // 40 · 6/12 + 60 · 2/4; 6/24 of 52 years.
        #expect(keeper.piece.onboarding.score(.quick)?.addiction == 50 && keeper.piece.onboarding.score(.quick)?.yearsLost == 13)
        #expect(keeper.piece.onboarding.score(.short) == nil && keeper.piece.onboarding.score(.full) == nil)
        for step in ["loading", "years"] { try keeper.act("kitty.onboard", ["step": .text(step)]) }
        #expect(keeper.piece.onboarding.next(.quick) == nil && keeper.piece.onboarding.next(.short) == .splash)
        for (step, choice) in [("sleep", "never"), ("without", "always"), ("reflex", "often")] {
            try keeper.act("kitty.onboard", ["step": .text(step), "choice": .text(choice)])
        }
        // 40 · 6/12 + 60 · (0 + 4 + 3)/12
        #expect(keeper.piece.onboarding.score(.short)?.addiction == 55)
    }

    @Test func `each length has its steps in order, and those that go on by themselves say when`() {
        for length in OnboardingLength.allCases {
            let steps = OnboardingState(Onboarding(), for: Keeper().cat, length).steps
            #expect(steps.map(\.step) == length.steps.map(\.rawValue) && steps.map(\.number) == Array(1...length.steps.count))
            #expect(Set(length.steps).isSuperset(of: length.survey))
        }
        #expect(OnboardingLength.quick.steps.count { $0.kind == .survey } == 3)
        #expect(OnboardingLength.short.steps.prefix(8) == [.splash, .welcome, .hours, .addicted, .sleep, .without, .reflex, .age])
        let loading = OnboardingState(Onboarding(), for: Keeper().cat, .short).steps.first { $0.step == "loading" }
        #expect(loading?.seconds == 4.5 && loading?.captions?.count == 3, "a caption every 1.5 s")
        #expect(Step.splash.seconds == 2 && Step.allCases.count { $0.seconds != nil } == 2)
    }
}
