import Signals
import Testing

@testable import Live

@Suite struct KeyedActionsTests {
    @Test func `of one key one is under way at a time, and those who wait for it go on in the order in which they came`() {
        var keyed = KeyedActions()
        var done: [Int] = []
        let place = KeyedActions.Place(ActionKey("a"), in: "home")
        let other = KeyedActions.Place(ActionKey("b"), in: "home")
        let begun = [(1, place), (2, place), (3, place), (4, other)].map { number, place in keyed.begin(at: place) { done.append(number) } }
        #expect(begun == [.now, .later, .later, .now])
        keyed.end(at: place)?()
        #expect(done == [2])
        // While the second is under way, nobody comes before the third.
        let fifth = keyed.begin(at: place) { done.append(5) }
        keyed.end(at: place)?()
        keyed.end(at: place)?()
        #expect(fifth == .later && done == [2, 3, 5])
        let next = keyed.end(at: place)
        let again = keyed.begin(at: place) {}
        #expect(next == nil && again == .now)
    }

    @Test func `households have keys of their own, but for those that count for everybody`() {
        var keyed = KeyedActions()
        let keys = [ActionKey("a"), ActionKey("a", for: .everybody)]
        let begun = keys.flatMap { key in ["home", "other"].map { keyed.begin(at: KeyedActions.Place(key, in: $0)) {} } }
        #expect(begun == [.now, .now, .now, .later])
    }

    @Test func `no more than sixteen wait behind one key, and each that is over makes room for another`() {
        var keyed = KeyedActions()
        let place = KeyedActions.Place(ActionKey("a"), in: "home")
        let begun = (0..<1_000).map { _ in keyed.begin(at: place) {} }
        #expect(begun == [.now] + Array(repeating: .later, count: 16) + Array(repeating: .full, count: 983))
        #expect(keyed.end(at: place) != nil)
        let more = (0..<2).map { _ in keyed.begin(at: place) {} }
        #expect(more == [.later, .full])
    }
}
