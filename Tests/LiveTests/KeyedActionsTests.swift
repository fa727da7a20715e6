import Signals
import Testing

@testable import Live

@Suite struct KeyedActionsTests {
    private func asked(_ client: Int) -> KeyedActions.Asked {
        let action = Action(UncheckedAction(name: "bank.put", fields: [:]))
        return KeyedActions.Asked(action: action, stamp: nil, caller: Caller(client: client, id: nil) { _ in })
    }

    @Test func `of one key one is under way at a time, and those who wait for it go on in the order in which they came`() {
        var keyed = KeyedActions()
        let place = KeyedActions.Place(ActionKey("a"), in: "home")
        let other = KeyedActions.Place(ActionKey("b"), in: "home")
        let begun = [(1, place), (2, place), (3, place), (4, other)].map { keyed.begin(asked($0), at: $1) }
        #expect(begun == [true, false, false, true])
        let next = keyed.end(at: place).map(\.caller.client)
        #expect(next == [2, 3])
        let again = keyed.begin(asked(2), at: place)
        let waiting = keyed.end(at: place)
        #expect(again && waiting.isEmpty)
    }

    @Test func `households have keys of their own, but for those that count for everybody`() {
        var keyed = KeyedActions()
        let keys = [ActionKey("a"), ActionKey("a", for: .everybody)]
        let begun = keys.flatMap { key in ["home", "other"].map { keyed.begin(asked(1), at: KeyedActions.Place(key, in: $0)) } }
        #expect(begun == [true, true, true, false])
    }
}
