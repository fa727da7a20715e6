import Experience
import Fields
import Testing
@testable import Unhooked

/// Whatever comes is refused by name, and nothing is lost.
@Suite struct BadInputTests {
    @Test func `actions are refused with their fields' names`() throws {
        var owner = Owner()
        let before = owner.run.memory
        let bad: [(String, [String: JSONValue], String)] = [
            ("report", ["minutes": .integer(1_441)], "minutes"), ("report", ["minutes": .integer(-1)], "minutes"), ("report", [:], "minutes"),
            ("limit", ["minutes": .integer(14)], "minutes"), ("limit", ["minutes": .integer(721)], "minutes"),
            ("adopt", ["species": .text("bird")], "species"), ("adopt", ["species": .text("cat"), "name": .text("a\nb")], "name"),
            ("feed", ["food": .text("pate")], "key"), ("feed", ["food": .text("pate"), "key": .text("a b")], "key"),
            ("feed", ["food": .text("pate"), "key": .text(String(repeating: "k", count: 65))], "key"),
            ("feed", ["food": .text("beef"), "key": .text("k")], "food"), ("feed", ["key": .text("k")], "food"),
            ("feed", ["food": .text("pate"), "key": .text("k"), "gems": .integer(1)], "gems"),
            ("buy", ["cosmetic": .text("shoe"), "key": .text("k")], "cosmetic"), ("buy", ["cosmetic": .text("crown"), "key": .text("k")], "gems"),
            ("wear", ["category": .text("shoe")], "category"), ("cure", [:], "key"), ("restart", ["key": .text("k")], "species"),
            ("remember", ["pet": .integer(1)], "pet"), ("enter", ["household": .text(" a")], "household"),
        ]
        for (name, fields, field) in bad {
            let fault = #expect(throws: Fault.self, "\(name) \(fields)") { try owner.act(name, fields) }
            #expect(fault?.field == field && (fault?.description.utf8.count ?? 0) < 300, "\(name) \(String(describing: fault))")
        }
        #expect(owner.run.memory == before)
    }

    @Test func `a memory that is damaged anywhere is refused by the place, or is as good as another`() throws {
        var owner = Owner(gems: 2_000)
        for _ in 0..<9 { owner.wait(days: 1) }
        try owner.pay("restart", ["species": .text("dog")])
        try owner.feed()
        let memory = try #require(owner.run.memory)
        func fault(_ memory: JSONValue) -> Fault? {
            do {
                _ = try memory.read { try Unhooked.Memory($0) }
                return nil
            } catch { return error as? Fault }
        }
        #expect(fault(memory) == nil)
        guard case .object(let fields) = memory, case .object(let home)? = fields["home"], case .object(let pet)? = home["pet"] else {
            Issue.record("an object")
            return
        }
        let wrong: [(String, JSONValue)] = [
            ("day", .integer(.max)), ("dayMinutes", .number(0)), ("limit", .integer(0)), ("household", .text("")), ("offset", .integer(86_400)),
            ("wardrobe", .list([.text("a"), .text("a")])), ("choices", .integer(-1)), ("memorial", .list([.object(["pet": .object(pet)])])),
            ("yesterday", .object(["minutes": .integer(1), "limit": .integer(0)])), ("history", .integer(3)),
            ("books", .object(["balances": .object(["wallet.energy": .integer(5)]), "recent": .list([]), "count": .integer(0)])),
            ("books", .object(["balances": .object(["wallet.euro": .integer(0)]), "recent": .list([]), "count": .integer(0)])),
        ]
        for (name, value) in wrong {
            var home = home
            home[name] = value
            #expect(fault(.object(["home": .object(home)]))?.field.hasPrefix("home") == true, "\(name)")
        }
        // Numbers that no reckoning may overflow by.
        var dead = pet
        (dead["health"], dead["died"]) = (.text("dead"), .integer(.max - 1))
        #expect(fault(.object(["home": .object(home.merging(["pet": .object(dead)]) { $1 })]))?.field == "home.pet")
        #expect(fault(.object(["home": .object(home.merging(["memorial": .list([.object(["pet": .object(dead)])])]) { $1 })]))?.field
            == "home.memorial")
        for name in home.keys where !["nextLimit", "yesterday"].contains(name) {
            var home = home
            home[name] = nil
            #expect(fault(.object(["home": .object(home)])) != nil, "\(name)")
        }
        for (name, value) in [("fullness", 101), ("mood", -1), ("number", 0), ("growth", .max), ("fragile", 4), ("died", 3)] {
            var (home, pet) = (home, pet)
            pet[name] = .integer(Int64(value))
            home["pet"] = .object(pet)
            #expect(fault(.object(["home": .object(home)]))?.field == "home.pet", "\(name)")
        }
    }
}
