import Signals
import Testing

@testable import Live

@Suite struct KeyedActionsTests {
    @Test func `of one key one is under way at a time, and those who wait for it go on in the order in which they came`() {
        var keyed = KeyedActions()
        var done: [Int] = []
        let key = KeyedActions.ScopedKey(ActionKey("a"), in: "home")
        let other = KeyedActions.ScopedKey(ActionKey("b"), in: "home")
        let begun = [(1, key), (2, key), (3, key), (4, other)].map { number, key in keyed.begin(for: key) { done.append(number) } }
        #expect(begun == [.now, .later, .later, .now])
        keyed.end(for: key)?()
        #expect(done == [2])
        // While the second is under way, nobody comes before the third.
        let fifth = keyed.begin(for: key) { done.append(5) }
        keyed.end(for: key)?()
        keyed.end(for: key)?()
        #expect(fifth == .later && done == [2, 3, 5])
        let next = keyed.end(for: key)
        let again = keyed.begin(for: key) {}
        #expect(next == nil && again == .now)
    }

    @Test func `households have keys of their own, but for those that count for everybody`() {
        var keyed = KeyedActions()
        let keys = [ActionKey("a"), ActionKey("a", for: .everybody)]
        let begun = keys.flatMap { key in ["home", "other"].map { keyed.begin(for: KeyedActions.ScopedKey(key, in: $0)) {} } }
        #expect(begun == [.now, .now, .now, .later])
    }

    @Test func `no more than sixteen wait behind one key, and each that is over makes room for another`() {
        var keyed = KeyedActions()
        let key = KeyedActions.ScopedKey(ActionKey("a"), in: "home")
        let begun = (0..<1_000).map { _ in keyed.begin(for: key) {} }
        #expect(begun == [.now] + Array(repeating: .later, count: 16) + Array(repeating: .full, count: 983))
        #expect(keyed.end(for: key) != nil)
        let more = (0..<2).map { _ in keyed.begin(for: key) {} }
        #expect(more == [.later, .full])
    }
}
