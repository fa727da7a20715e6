import Fields
import Publishing
import Testing

@Suite struct DocumentChangeTests {
    private func item(_ id: String, _ price: Int64) -> JSONValue { .object(["id": .text(id), "price": .integer(price)]) }

    private func lines(_ old: JSONValue, _ new: JSONValue) -> [String] {
        DocumentChange.all(from: old, to: new).map { change in
            func text(_ value: JSONValue?) -> String { value.map { Publications.text($0) } ?? "-" }
            return "\(change.path): \(text(change.old)) > \(text(change.new))"
        }
    }

    @Test func `each place that differs is told once, by its path`() {
        let old = JSONValue.object(["cure": .object(["gems": .integer(120), "hours": .integer(24)]), "old": .flag(true), "same": .null])
        let new = JSONValue.object(["cure": .object(["gems": .integer(90), "hours": .integer(24)]), "new": .list([.integer(1)]), "same": .null])
        #expect(lines(old, new) == ["cure.gems: 120 > 90", "new: - > [1]", "old: true > -"])
        #expect(lines(old, old) == [])
    }

    @Test func `objects of a list are known by their id, whatever their place`() {
        let old = JSONValue.object(["items": .list([item("tuna", 5), item("milk", 3), item("ball", 9)])])
        let new = JSONValue.object(["items": .list([item("cake", 7), item("milk", 4), item("tuna", 5)])])
        #expect(lines(old, new) == [
            "items[milk].price: 3 > 4", #"items[ball]: {"id":"ball","price":9} > -"#, #"items[cake]: - > {"id":"cake","price":7}"#,
            #"items (order): ["tuna","milk"] > ["milk","tuna"]"#,
        ])
    }

    @Test func `other lists are compared place by place`() {
        #expect(lines(.list([.integer(1), .integer(2)]), .list([.integer(1), .integer(3), .integer(4)])) == ["[1]: 2 > 3", "[2]: - > 4"])
        #expect(lines(.list([item("a", 1), item("a", 2)]), .list([item("a", 1), item("a", 3)])) == ["[1].price: 2 > 3"])
    }
}
