import Calendar
import Experience
import Fields
import Signals
import Testing
@testable import Unhooked

@Suite struct PurchaseTests {
    private func purchase(_ id: String, _ product: String, quantity: Int = 1, refunded: Bool = false) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "transactionId": .text(id), "originalTransactionId": .text(id), "productId": .text(product),
            "bundleId": .text("org.example.unhooked"), "environment": .text("Production"), "purchaseDate": .integer(1_767_225_600_000),
            "quantity": .integer(Int64(quantity)),
        ]
        if refunded { fields["revocationDate"] = .integer(1_767_225_700_000) }
        return fields
    }

    @Test(arguments: [("gems_100", 100), ("gems_500", 500), ("gems_1200", 1_200), ("gems_2500", 2_500)])
    func `each product gives its Gems, times the quantity, and is told, heard and felt`(_ product: String, _ gems: Int) throws {
        var owner = Owner()
        let effects = try owner.act("purchase", purchase("7", product, quantity: 3))
        #expect(owner.state.gems == 3 * gems && owner.balance(.gemsIssued) == -3 * gems && owner.home.books.sum(.gems) == 0)
        #expect(owner.said(GemsBought.self) == [GemsBought(day: owner.day, product: product, gems: 3 * gems, isRefund: false)])
        #expect(effects.cues == [.chime("purchase"), .haptic("purchase")] && !owner.said(PetState.self).isEmpty)
        let entry = try #require(effects.ledger.first)
        #expect(entry.key == "receipt:7" && entry.kind == "purchase" && entry.action?.scope == .everybody)
        #expect(entry.postings == [Posting(account: "issued.gems", currency: "gems", amount: -3 * gems),
                                   Posting(account: "wallet.gems", currency: "gems", amount: 3 * gems)])
    }

    @Test func `a refund takes back also what is spent, and a wallet below zero buys nothing`() throws {
        var owner = Owner()
        try owner.act("purchase", purchase("7", "gems_500"))
        try owner.pay("buy", ["cosmetic": .text("cape")])
        let effects = try owner.act("purchase", purchase("7", "gems_500", refunded: true))
        #expect(owner.state.gems == -220 && effects.cues.isEmpty && effects.ledger.map(\.key) == ["refund:7"])
        #expect(owner.said(GemsBought.self) == [GemsBought(day: owner.day, product: "gems_500", gems: 500, isRefund: true)])
        let fault = #expect(throws: Fault.self) { try owner.pay("buy", ["cosmetic": .text("crown")]) }
        #expect(fault == Fault(field: "gems", expected: "150 Gems", found: "-220"))
        owner.restart(after: 60)
        #expect(owner.state.gems == -220)
        try owner.act("purchase", purchase("8", "gems_500"))
        #expect(owner.state.gems == 280)
        try owner.pay("buy", ["cosmetic": .text("crown")])
    }

    @Test func `a refund takes the given part of what was bought, less what was taken back before, and never more`() throws {
        var owner = Owner()
        try owner.act("purchase", purchase("7", "gems_500"))
        func refund(_ percentage: Int?, takenBack: Int, quantity: Int = 1) -> [String: JSONValue] {
            var fields = purchase("7", "gems_500", quantity: quantity, refunded: true)
            fields["revocationPercentage"] = percentage.map { .integer(Int64($0)) }
            return fields.merging(["bought": .integer(500), "takenBack": .integer(Int64(takenBack))]) { $1 }
        }
        // A third of 500, rounded down.
        #expect(try owner.act("purchase", refund(33_333, takenBack: 0)).ledger.map(\.key) == ["refund:7"])
        #expect(owner.state.gems == 334 && owner.said(GemsBought.self).map(\.gems) == [166])
        #expect(try owner.act("purchase", refund(50_000, takenBack: 166)).ledger.map(\.key) == ["refund+166:7"])
        #expect(owner.state.gems == 250)
        let fault = #expect(throws: Fault.self) { try owner.act("purchase", refund(40_000, takenBack: 250)) }
        #expect(fault == Fault(field: "receipt", expected: "a refund of more than was taken back before, 250 of 500", found: "one of 40 %"))
        // A hundred were never bought.
        try owner.act("purchase", refund(nil, takenBack: 250, quantity: 100))
        #expect(owner.state.gems == 0 && owner.home.books.sum(.gems) == 0)
    }

    @Test func `a household that is not here is refunded in its own books, and no time goes by for it`() throws {
        var owner = Owner()
        try owner.act("enter", ["household": .text("B")])
        try owner.act("purchase", purchase("7", "gems_500"))
        let kept = try #require(owner.run.memory)
        try owner.act("enter", ["household": .text("A")])
        owner.wait(days: 3)
        let before = owner.home
        var refund = purchase("7", "gems_500", refunded: true)
        (refund["bought"], refund["takenBack"], refund["revocationPercentage"]) = (.integer(500), .integer(0), .integer(50_000))
        let receipt = try JSONValue.object(refund).read { try Purchase(recorded: $0) }
        let left = try owner.run.refund(receipt, of: kept, at: CivilTime(at: owner.now, utcOffset: { _ in 0 }))
        let home = try left.memory.read { try Unhooked.Memory($0) }.home
        let was = try kept.read { try Unhooked.Memory($0) }.home
        #expect(home.books.wallet(.gems) == 250 && home.books.sum(.gems) == 0 && owner.home == before)
        #expect(home.day == was.day && home.pet == was.pet && home.history == was.history)
        #expect(left.entry.key == "refund:7" && left.entry.kind == "refund" && left.entry.action?.scope == .everybody)
    }

    @Test func `the longest transaction's ID comes back with the memory`() throws {
        var owner = Owner()
        let id = String(repeating: "9", count: 64)
        try owner.act("purchase", purchase(id, "gems_100"))
        owner.restart(after: 60)
        #expect(owner.state.gems == 100 && owner.home.books.answered("receipt:" + id) != nil)
        var refund = purchase(id, "gems_100", refunded: true)
        (refund["bought"], refund["takenBack"]) = (.integer(1 << 53), .integer(99))
        try owner.act("purchase", refund)
        let key = "refund+99:" + id
        owner.restart(after: 60)
        #expect(owner.state.gems == 99 && owner.home.books.answered(key) != nil)
    }

    @Test func `other products are refused by name, and purchases that are switched off, but no refund`() throws {
        var owner = Owner()
        let fault = #expect(throws: Fault.self) { try owner.act("purchase", purchase("7", "energy_100")) }
        #expect(fault == Fault(field: "productId", expected: "one of gems_100, gems_500, gems_1200, gems_2500", found: "\"energy_100\""))
        try owner.act("purchase", purchase("8", "gems_100"))
        var configuration = Unhooked.Configuration.standard
        configuration.flags.purchases = false
        owner.publish(PublishedDocument(kind: "unhooked", version: 1, body: configuration.json))
        let off = #expect(throws: Fault.self) { try owner.act("purchase", purchase("9", "gems_100")) }
        #expect(off?.expected == "purchases, which this place has switched off")
        try owner.act("purchase", purchase("8", "gems_100", refunded: true))
        #expect(owner.state.gems == 0)
    }

    @Test func `a product stays as it is, because a refund takes back its Gems`() {
        var configuration = Unhooked.Configuration.standard
        configuration.products[1].gems = 600
        configuration.products.remove(at: 0)
        let faults = configuration.losses(of: [], after: .standard)
        #expect(faults.map(\.field) == ["products", "products[0].gems"])
        #expect(configuration.faults.isEmpty && configuration.losses(of: [], after: nil).isEmpty)
    }
}
