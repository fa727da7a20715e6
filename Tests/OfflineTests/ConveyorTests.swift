import Testing

@testable import Offline

@Suite struct ConveyorTests {
    @Test func `everything arrives in order, and then the end`() {
        let conveyor = Conveyor<Int>.start(capacity: 3) { conveyor in
            for n in 0..<1000 { conveyor.put(n) }
        }
        var taken: [Int] = []
        while let element = conveyor.take() { taken.append(element) }
        #expect(taken == Array(0..<1000))
    }

    @Test(arguments: [0, 1, 5])
    func `a producer nobody listens to any more is told so, and ends`(taken: Int) {
        let ended = Conveyor<Int>(capacity: 1)
        do {
            let conveyor = Conveyor<Int>.start(capacity: 3) { conveyor in
                var count = 0
                while conveyor.put(count) { count += 1 }
                ended.put(count)
            }
            for _ in 0..<taken { _ = conveyor.take() }
            conveyor.abandon()
        }
        // At most what was taken, what was on the belt, and one in the hand.
        let count = ended.take()
        #expect((count ?? 99) <= taken + 4)
    }
}
