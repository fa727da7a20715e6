import Experience
import Fields
@testable import ScrollKitty
import Signals
import Testing

/// Whatever comes is refused by name, and nothing is lost.
@Suite struct BadInputTests {
    private func refusal(_ keeper: Keeper, _ name: String, _ fields: [String: JSONValue]) -> Fault? {
        var keeper = keeper
        do {
            try keeper.act(name, fields)
            return nil
        } catch { return error as? Fault }
    }

    @Test func `actions are refused with their fields' names`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        try keeper.bypass()
        let before = keeper.run.memory
        let eleven: [JSONValue] = (1...11).map { .text("App \($0)") }
        let bad: [(String, [String: JSONValue], String)] = [
            ("kitty.apps", ["apps": .list(eleven)], "apps"),
            ("kitty.apps", ["apps": .list([])], "apps"),
            ("kitty.apps", ["apps": .list([.text("A"), .text("A")])], "apps"),
            ("kitty.apps", ["apps": .list([.text("A\n")])], "apps[0]"),
            ("kitty.apps", ["apps": .list([.text(String(repeating: "x", count: 41))])], "apps[0]"),
            ("kitty.apps", ["apps": .text("A")], "apps"),
            ("kitty.bypass", ["app": .text("Unheard of")], "app"),
            ("kitty.bypass", ["app": .text("Chat")], "app"),
            ("kitty.bypass", [:], "app"),
            ("kitty.shield", ["app": .text("Unheard of")], "app"),
            ("kitty.cooldown", ["minutes": .integer(7)], "minutes"),
            ("kitty.cooldown", ["minutes": .integer(25)], "minutes"),
            ("kitty.goal", ["hours": .number(3.25)], "hours"),
            ("kitty.goal", ["hours": .number(9)], "hours"),
            ("kitty.window", ["days": .text("someday")], "days"),
            ("kitty.window", ["days": .text("mon"), "start": .text("25:00"), "until": .text("26:00")], "start"),
            ("kitty.window", ["days": .text("mon"), "start": .text("09:00")], "until"),
            ("household.enter", ["household": .text(String(repeating: "x", count: 1 << 20))], "household"),
            ("household.enter", ["household": .text("a\u{0}b")], "household"),
            ("household.enter", ["household": .text(" a")], "household"),
        ]
        for (name, fields, field) in bad {
            let fault = refusal(keeper, name, fields)
            #expect(fault?.field == field, "\(name) \(String(describing: fault))")
            #expect((fault?.description.utf8.count ?? 0) < 300)
        }
        #expect(keeper.run.memory == before && keeper.hp == 95)
        #expect(refusal(keeper, "kitty.cooldown", ["minutes": .integer(25)])?.expected == "one of 10, 20, 30, 45, 60")
        #expect(refusal(Keeper(knobs: perApp), "kitty.cooldown", ["minutes": .integer(25)]) == nil)
    }

    @Test func `a flood of bypasses costs one`() throws {
        var keeper = Keeper(at: 9 * 3_600)
        var refused = 0
        for _ in 0..<1_000 where (try? keeper.bypass()) == nil { refused += 1 }
        #expect(refused == 999 && keeper.hp == 95 && keeper.ledger.count == 1)
    }

    @Test func `a memory that is damaged anywhere is refused by the place, or is as good as another`() throws {
        var keeper = Keeper(at: 9 * 3_600, knobs: perApp)
        try keeper.bypass()
        keeper.wait(toDay: 2, "12:00")
        try keeper.bypass("News")
        let memory = try #require(keeper.run.memory)
        func fault(_ memory: JSONValue) -> Fault? {
            do {
                _ = try memory.read { try ScrollKitty.Memory($0) }
                return nil
            } catch { return error as? Fault }
        }
        #expect(fault(memory) == nil)
        guard case .object(let fields) = memory, case .object(let cat)? = fields["cat"] else { Issue.record("an object"); return }
        let wrong: [(String, JSONValue)] = [
            ("health", .null), ("day", .integer(-1)), ("day", .text("x")), ("cooldown", .integer(7)), ("dayMinutes", .number(0)),
            ("openings", .list([.object(["app": .integer(9), "since": .integer(0), "until": .integer(0), "cooldown": .integer(600)])])),
            ("plan", .object(["counting": .text("none"), "apps": .list([])])), ("household", .text("")), ("offset", .integer(86_400)),
            ("offset", .integer(.min)), ("deeds", .integer(.max)), ("day", .integer(.max)),
            ("streaks", .object(["current": .integer(.max), "longest": .integer(.max), "achievements": .list([])])),
        ]
        for (name, value) in wrong {
            var cat = cat
            cat[name] = value
            let found = fault(.object(["cat": .object(cat), "onboarding": fields["onboarding"]!, "messages": fields["messages"] ?? .null]))
            #expect(found?.field.hasPrefix("cat") == true, "\(name)")
        }
        for name in cat.keys where !["goal", "nextPlan"].contains(name) {
            var cat = cat
            cat[name] = nil
            #expect(fault(.object(["cat": .object(cat), "onboarding": fields["onboarding"]!, "messages": fields["messages"] ?? .null])) != nil)
        }
        #expect(fault(.object(["lives": .integer(6), "of": .integer(5)]))?.field == "lives")
    }
}
