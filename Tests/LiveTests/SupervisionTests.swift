import Testing

@testable import Live

@Suite struct SupervisionTests {
    private static let second: Int64 = 1_000_000_000

    @Test func `a sign of life is given every quarter of what is allowed, as long as the render thread goes on`() {
        var supervision = Supervision(watchdogPeriod: .seconds(10))
        let signs = (0..<20).filter { half in
            // From second 5 on the render thread stands still.
            supervision.tick(Int64(half) * Self.second / 2, wakeUps: UInt64(min(half, 10)), status: "").isAlive
        }
        #expect(signs == [0, 5, 10])
    }

    @Test func `a render thread that goes on again is alive again`() {
        var supervision = Supervision(watchdogPeriod: .seconds(4))
        #expect(supervision.tick(0, wakeUps: 1, status: "").isAlive)
        #expect(!supervision.tick(5 * Self.second, wakeUps: 1, status: "").isAlive)
        #expect(supervision.tick(6 * Self.second, wakeUps: 2, status: "").isAlive)
    }

    @Test func `where nobody waits for a sign none is given, and the status is told when it has changed`() {
        var supervision = Supervision(watchdogPeriod: nil)
        let words = ["a", "a", "b", "b", "a"].map { supervision.tick(0, wakeUps: 1, status: $0) }
        #expect(words.map(\.status) == ["a", nil, "b", nil, "a"])
        #expect(!words.contains { $0.isAlive })
    }
}
