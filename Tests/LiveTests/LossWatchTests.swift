import Testing

@testable import Live

@Suite struct LossWatchTests {
    @Test func `a loss is an issue for five minutes after the last one, and then it is over`() {
        var watch = LossWatch()
        func isLosing(_ lost: UInt64, at seconds: Int64) -> Bool { watch.isLosing(lost, at: seconds * 1_000_000_000) }
        let seen = [isLosing(0, at: 10), isLosing(3, at: 20), isLosing(3, at: 319), isLosing(3, at: 320), isLosing(4, at: 400),
                    isLosing(4, at: 699), isLosing(4, at: 700)]
        #expect(seen == [false, true, true, false, true, true, false])
    }
}
