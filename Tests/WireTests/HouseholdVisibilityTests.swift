import Experience
import Fields
import Foundation
import Signals
import Testing

@testable import Wire

/// Who is told what in confidence.
@Suite struct HouseholdVisibilityTests {
    private struct Purse: AnnouncementBody {
        struct Day: Encodable, Equatable, Sendable {
            var day: Int
            var energy: Int
        }

        var topic: String { "purse" }
        var household = "Ada"
        var gems = 500
        var mood = 0.5
        var days = [Day(day: 1, energy: 30), Day(day: 2, energy: 40)]
    }

    private let inConfidence: [String: Confidence] = ["household": .name, "gems": .money, "days.energy": .money, "nothing.of.it": .money]

    private func told(_ visibility: HouseholdVisibility) -> String {
        String(decoding: Notification(Topic("purse"), visibility.part(of: Purse(), inConfidence)).line(number: 1), as: UTF8.self)
    }

    @Test(arguments: Role.allCases, [false, true])
    func `operators and guests are told all, everybody is of the house's own, and nobody who only plays of money`(role: Role, isGuest: Bool) {
        for isHome in [false, true] {
            let visibility = HouseholdVisibility(role, isGuest: isGuest, isHome: isHome)
            #expect(visibility.has(.name) == (role == .operator || isGuest || isHome))
            #expect(visibility.has(.money) == (role == .operator || (role != .player && (isGuest || isHome))))
        }
    }

    @Test func `what is told in confidence is left out, also in lists, and the rest is as it was`() {
        #expect(told(.all).contains(#"{"number":1,"days":[{"day":1,"energy":30},{"day":2,"energy":40}],"gems":500,"household":"Ada","mood":0.5}"#))
        #expect(told(.none).contains(#"{"number":1,"days":[{"day":1},{"day":2}],"mood":0.5}"#))
        #expect(told(HouseholdVisibility(.player, isGuest: true, isHome: false)).contains(#"{"number":1,"days":[{"day":1},{"day":2}],"household":"Ada","mood":0.5}"#))
    }

    @Test func `in the OpenRPC document it is optional, and marked`() throws {
        let piece = Declaration(
            name: "bank", rulesVersion: 1, about: "",
            topics: [TopicDeclaration("purse", about: "It has changed.", examples: [Purse()], inConfidence: inConfidence),
                     TopicDeclaration("bought", about: "Something was bought.", examples: [Purse()], isAboutMoney: true)])
        let document = OpenRPC(version: "0", [], TopicTable([piece]), of: [piece])
        let json = try #require(try JSONSerialization.jsonObject(with: JSONEncoder().encode(document)) as? [String: Any])
        let notifications = try #require(json["x-notifications"] as? [[String: Any]])
        func named(_ name: String) throws -> [String: Any] { try #require(notifications.first { $0["name"] as? String == name }) }
        #expect(try named("purse")["x-confidence"] as? [String: String] == ["household": "name", "gems": "money", "days.energy": "money", "nothing.of.it": "money"])
        #expect(try named("purse")["x-money"] == nil && named("bought")["x-money"] as? Bool == true)
        let schemas = try #require((json["components"] as? [String: Any])?["schemas"] as? [String: [String: Any]])
        let purse = try #require(schemas.values.first { ($0["required"] as? [String]) == ["days", "mood", "number"] })
        #expect((purse["properties"] as? [String: Any])?.keys.sorted() == ["days", "gems", "household", "mood", "number"])
    }

    @Test func `a secret stands in no description and in no error`() throws {
        let enter = ActionDeclaration("bank.enter", about: "", entersHousehold: true) { UncheckedAction(name: "bank.enter", fields: ["household": .text(try $0.text("household"))]) }
        let request = try JSONValue.object(["household": .text("Ada"), "secret": .text("4711")]).read { try enter.request($0) }
        #expect(request.secret == HouseholdSecret("4711"))
        #expect(!"\(request)".contains("4711") && !String(reflecting: request).contains("4711"))
        for wrong: JSONValue in [.integer(4711), .text(String(repeating: "4711", count: 20)), .list([.text("4711")])] {
            let fault = try #require(throws: Fault.self) {
                try JSONValue.object(["household": .text("Ada"), "secret": wrong]).read { try enter.request($0) }
            }
            #expect(fault.field == "secret" && !fault.description.contains("4711"), "\(fault)")
        }
        #expect(throws: Fault.self, "no journal has one") {
            try JSONValue.object(["household": .text("Ada"), "secret": .text("4711")]).read { try enter.action($0) }
        }
    }
}
