import Testing

@testable import Offline

@Suite struct BoundedChannelTests {
    @Test func `everything arrives in order, and then the end`() {
        let channel = BoundedChannel<Int>.start(capacity: 3) { channel in
            for n in 0..<1000 { channel.put(n) }
        }
        var taken: [Int] = []
        while let element = channel.take() { taken.append(element) }
        #expect(taken == Array(0..<1000))
    }

    @Test(arguments: [0, 1, 5])
    func `a producer nobody listens to any more is told so, and ends`(taken: Int) {
        let ended = BoundedChannel<Int>(capacity: 1)
        do {
            let channel = BoundedChannel<Int>.start(capacity: 3) { channel in
                var count = 0
                while channel.put(count) { count += 1 }
                ended.put(count)
            }
            for _ in 0..<taken { _ = channel.take() }
            channel.abandon()
        }
        // At most what was taken, what was on the belt, and one in the hand.
        let count = ended.take()
        #expect((count ?? 99) <= taken + 4)
    }
}
