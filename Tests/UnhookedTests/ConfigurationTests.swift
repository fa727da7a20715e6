import Calendar
import Experience
import Fields
import Signals
import Testing
@testable import Unhooked

@Suite struct ConfigurationTests {
    private typealias Configuration = Unhooked.Configuration

    private func fault(_ change: (inout [String: JSONValue]) -> Void) -> Fault? {
        guard case .object(var members) = Configuration.standard.json else { return nil }
        change(&members)
        do {
            _ = try JSONValue.object(members).read { try Configuration($0) }
            return nil
        } catch { return error as? Fault }
    }

    private func changed(_ value: JSONValue?, _ path: [String], to new: JSONValue?) -> JSONValue? {
        guard let name = path.first else { return new }
        let rest = Array(path.dropFirst())
        switch value {
        case .object(var members)?:
            members[name] = changed(members[name], rest, to: new)
            return .object(members)
        case .list(var elements)?:
            guard let index = Int(name) else { return value }
            elements[index] = changed(elements[index], rest, to: new) ?? .null
            return .list(elements)
        default: return new
        }
    }

    @Test func `what is written is what is read, and the standard one has no faults`() throws {
        let standard = Configuration.standard
        #expect(try standard.json.read { try Configuration($0) } == standard)
        #expect(standard.faults == [] && standard.losses(of: [], after: standard) == [])
        #expect(standard.products.map(\.id) == ["gems_100", "gems_500", "gems_1200", "gems_2500"])
        #expect(standard.recovery.cure == Configuration.RecoveryRule(gems: 120, cooldownHours: 24, window: .init(most: 5, days: 30)))
        #expect(standard.recovery.revive == Configuration.RecoveryRule(gems: 400, cooldownHours: 168, window: .init(most: 2, days: 90)))
        #expect(standard.recovery.restart == Configuration.RecoveryRule(gems: 200, cooldownHours: 24, window: nil))
    }

    @Test(arguments: [
        ("recovery.cure.gems", JSONValue.integer(0)), ("recovery.cure.gems", .integer(-120)), ("recovery.cure.gems", .text("120")),
        ("recovery.revive.window.most", .integer(0)), ("recovery.restart.cooldownHours", nil), ("foods.0.energy", .integer(0)),
        ("foods.2.effect.buff", .number(1.5)), ("foods.2.effect.mood", .integer(101)), ("foods.9.dog.animation", .text("A B")),
        ("foods.0.species", .text("bird")), ("foods.0.gems", .integer(3)), ("cosmetics.0.price.energy", .integer(0)),
        ("cosmetics.0.category", .text("shoe")), ("cosmetics.0.title.de", nil), ("cosmetics.1.buff", .number(0.1)),
        ("seasons.0.from", .text("02-30")), ("seasons.0.until", .text("13-01")), ("products.0.gems", .integer(0)),
        ("memorial.most", .integer(0)), ("flags.food", .text("yes")), ("energy.gamma", .number(0)), ("limit.least", .integer(0)),
        ("extra", .integer(1)), ("foods", .text("none")), ("energy", nil),
    ] as [(String, JSONValue?)])
    func `a bad document is refused by the field's path`(_ field: String, _ value: JSONValue?) throws {
        let path = field.split(separator: ".").map(String.init)
        let found = fault { members in
            if case .object(let new)? = changed(.object(members), path, to: value) { members = new }
        }
        // As faults write it: foods[0].energy.
        let written = field.replacing(/\.(\d+)/) { "[\($0.1)]" }
        // Of a price of nothing, the last part is named.
        #expect(found?.field == written || (written.hasSuffix("price.energy") && found?.field.hasSuffix("price.gems") == true), "\(field)")
    }

    @Test func `a house adds switches and events of its own, which are named, counted and bounded`() throws {
        typealias Additions = Configuration.Additions
        var added = Configuration.standard
        added.additions = Additions(features: [.init(id: "feature.new_system", isOn: true)], events: ["custom_event"])
        #expect(try added.json.read { try Configuration($0) } == added && added.faults == [])
        #expect(Configuration.standard.json != added.json && Configuration.standard.additions == nil)

        var owner = Owner(published: PublishedDocument(kind: "unhooked", version: 1, body: added.json))
        #expect(throws: Fault.self) { try owner.act("track", ["name": .text("another_event")]) }
        for count in 1...2 {
            try owner.act("track", ["name": .text("custom_event"), "value": .text("a")])
            #expect(owner.said(Tracked.self) == [Tracked(day: owner.home.day, name: "custom_event", value: "a", count: count)])
        }
        let list = AdditionsList(owner.home, owner.piece.configuration)
        #expect(list.features.map(\.isOn) == [true] && list.events.map(\.count) == [2])
        for _ in 2..<Additions.mostEvents { try owner.act("track", ["name": .text("custom_event")]) }
        #expect(throws: Fault.self) { try owner.act("track", ["name": .text("custom_event")]) }
        owner.restart()
        #expect(owner.home.events == ["custom_event": Additions.mostEvents])

        added.additions?.events.append("custom_event")
        #expect(added.faults.map(\.field) == ["additions.events[1]"])
        added.additions = Additions(features: [], events: ["Custom Event"])
        #expect(throws: Fault.self) { try added.json.read { try Configuration($0) } }
    }

    @Test func `what the whole of it lacks is told all at once`() {
        var configuration = Configuration.standard
        configuration.foods.removeAll { $0.species != .cat }
        configuration.foods.append(configuration.foods[0])
        configuration.cosmetics[1].season = "monsoon"
        configuration.recovery.cure.cooldownHours = 31 * 24
        configuration.limit.standard = 721
        let fields = ["foods[3].id", "foods", "limit.standard", "recovery.cure.cooldownHours", "cosmetics[1].season"]
        #expect(configuration.faults.map(\.field) == fields)
        // Not by its reader either, and after whatever was in force.
        let declaration = Unhooked.declaration.configurations[0]
        #expect(throws: Fault.self) { try declaration.read(configuration.json) }
        #expect(declaration.objections(to: configuration.json, after: .null, []).map(\.field) == fields.map { "unhooked." + $0 })
    }

    @Test func `a range whose least is above its most is a fault, and stops nothing`() {
        var configuration = Configuration.standard
        (configuration.limit.least, configuration.limit.most) = (300, 60)
        #expect(configuration.faults.map(\.field) == ["limit.most", "limit.standard"])
        #expect(throws: Fault(field: "unhooked.limit.most", expected: "300 or more, the least", found: "60")) {
            try Unhooked.declaration.configurations[0].read(configuration.json)
        }
    }

    @Test func `no cosmetic vanishes from a wardrobe or from where it is worn, and one that nobody has may`() throws {
        var owner = Owner()
        try owner.pay("buy", ["cosmetic": .text("bell")])
        try owner.act("wear", ["category": .text("neck"), "cosmetic": .text("bell")])
        let memory = try #require(owner.piece.memory).json
        func objections(_ change: (inout Configuration) -> Void) -> [String] {
            var new = Configuration.standard
            change(&new)
            return Unhooked.declaration.configurations[0].objections(to: new.json, after: .null, [.null, memory]).map(\.field)
        }
        #expect(objections { $0.cosmetics.removeAll { $0.id == "bell" } } == ["unhooked.cosmetics"])
        #expect(objections { $0.cosmetics[5].category = .hat } == ["unhooked.cosmetics[5].category"])
        // After crown was added, the document before it can come back.
        #expect(objections { $0.cosmetics.removeAll { $0.id == "crown" } } == [])
        #expect(objections { $0.cosmetics[5].isForSale = false } == [])
    }

    @Test func `a published range of limits reaches those who live here from the next day on`() throws {
        var owner = Owner()
        try owner.act("limit", ["minutes": .integer(700)])
        #expect(owner.state.limitMinutes == 700 && owner.state.limitRange == PetState.LimitRange(least: 15, most: 720))
        var tight = Configuration.standard
        tight.limit.most = 240
        owner.publish(PublishedDocument(kind: "unhooked", version: 1, body: tight.json))
        #expect(owner.state.limitMinutes == 700 && owner.state.nextLimitMinutes == 240 && owner.state.limitRange.most == 240)
        owner.wait(days: 1)
        #expect(owner.state.limitMinutes == 240 && owner.state.nextLimitMinutes == nil)
    }

    @Test func `how many pets of the memorial are shown is published, and none is forgotten by it`() throws {
        var one = Configuration.standard
        one.memorial.most = 1
        var home = Home(Days("home", PieceTime(dayMinutes: PieceTime.realDay), at: Moment(seconds: 0, offset: 0)), one)
        home.books.enter(.purchase, .bought(1_000), key: .rules("test"), at: 0)
        for number in 1...3 {
            (home.pet.health, home.pet.died) = (.dead, home.day)
            _ = home.act(on: .restart(.dog, name: "Pet \(number)", key: "\(number)"), one, at: Moment(seconds: number * 864_000, offset: 0))
        }
        let time = PieceTime(dayMinutes: PieceTime.realDay)
        #expect(home.memorial.count == 3 && MemorialList(home, one, time).pets.map(\.name) == ["Pet 2"])
        #expect(MemorialList(home, .standard, time).pets.map(\.name) == ["Pet 2", "Pet 1", "Mo"])
    }

    @Test func `a published configuration counts at once, and for a run from its beginning`() throws {
        var cheap = Configuration.standard
        cheap.foods[0].energy = 10
        cheap.limit.standard = 90
        let document = PublishedDocument(kind: "unhooked", version: 3, body: cheap.json)
        var owner = Owner()
        owner.publish(document)
        #expect(owner.said(ShopChanged.self) == [ShopChanged(version: 3)] && owner.said(PetState.self).count == 1)
        try owner.feed("kibble")
        #expect(owner.balance(.energyWallet) == 140 && owner.state.limitMinutes == 120, "a household keeps its limit")
        #expect(Owner(published: document).state.limitMinutes == 90)
    }

    @Test func `what a configuration leads to is told, and dearer food feeds fewer`() {
        func fed(_ configuration: Configuration) -> Double? {
            configuration.measures(households: 30, days: 30).first { $0.name == "days fed" }?.value
        }
        var dear = Configuration.standard
        for index in dear.foods.indices { dear.foods[index].energy *= 3 }
        guard let (usual, less) = fed(.standard).flatMap({ usual in fed(dear).map { (usual, $0) } }) else { Issue.record("measures"); return }
        #expect(usual > less + 5 && usual < 100 && Configuration.standard.measures(households: 3, days: 3).count == 6)
    }

    @Test func `a food has an effect for each species, and what a species lacks is the food's own`() {
        let feast = Configuration.standard.food("feast")
        #expect(feast?.effect(on: .cat) == Food.Effect(fullness: 70, mood: 30, buff: 0.08, animation: "munch"))
        #expect(feast?.effect(on: .dog) == Food.Effect(fullness: 80, mood: 25, buff: 0.1, animation: "gulp"))
        #expect(Diet.both.includes(.dog) && Diet.cat.includes(.cat) && !Diet.cat.includes(.dog))
    }

    /// 2026-01-01 is day 20,454 since 1970 (`date -u -d 2026-01-01 +%s` ÷ 86,400).
    @Test func `a season has its first and last day, over the new year too`() {
        let winter = Season(id: "w", title: Words(en: "w", de: "w"), from: "12-01", until: "01-06")
        #expect([20_453, 20_454, 20_459, 20_460, 20_787, 20_788].map(winter.includes) == [true, true, true, false, false, true])
        let day = Season(id: "d", title: Words(en: "d", de: "d"), from: "02-29", until: "02-29")
        // 2028-02-29, and the same day of a cycle of 400 years that a fast clock comes to.
        #expect(day.includes(21_243) && !day.includes(21_244) && day.includes(21_243 + 146_097 * 40))
    }
}
