import Testing

@testable import Live

@Suite struct SecretTriesTests {
    private let second: Int64 = 1_000_000_000

    /// A client says a wrong one; in how many seconds it may say another.
    private func miss(_ tries: inout SecretTries, _ client: Int, _ household: String = "Ada", at now: Int64 = 0) -> Int64 {
        #expect(tries.begin(client, at: now) == .now)
        return tries.wasWrong(client, for: household, at: now) / second
    }

    @Test func `a client waits twice as long after each wrong one, at most a minute, and says one at a time`() {
        var tries = SecretTries()
        var now: Int64 = 0
        var waits: [Int64] = []
        for number in 0..<8 {
            // Each for a household of its own: only the client is slowed.
            let wait = miss(&tries, 1, "\(number)", at: now)
            #expect(tries.begin(1, at: now + wait * second - 1) == .later(1))
            now += wait * second
            waits.append(wait)
        }
        #expect(waits == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect(tries.begin(1, at: now) == .now)
        #expect(tries.begin(1, at: now) == .busy)
        tries.wasRight(1)
        #expect(miss(&tries, 1, "other", at: now) == 1, "it was right in between")
    }

    @Test func `who has said none that was wrong waits for nobody, however many were wrong for the household`() {
        var tries = SecretTries()
        let waits = (1...8).map { miss(&tries, $0) }
        #expect(waits == [1, 1, 1, 1, 2, 4, 8, 16])
        #expect(tries.begin(99, at: 0) == .now)
        tries.wasRight(99)
        #expect(miss(&tries, 100, at: SecretTries.memory) == 1, "it is long ago")
    }

    @Test func `of a client that went while its secret was compared nothing stays, and the household counts it`() {
        var tries = SecretTries()
        for client in 1...5 {
            #expect(tries.begin(client, at: 0) == .now)
            tries.disconnected(client)
            _ = tries.wasWrong(client, for: "Ada", at: 0)
            #expect(tries.begin(client, at: 0) == .now, "nothing is known of it")
            tries.ended(client)
        }
        #expect(miss(&tries, 6) == 4, "five were wrong for the household before")
    }

    @Test func `somebody who guesses is an issue without a name, as long as it is not long ago`() {
        var tries = SecretTries()
        for client in 1..<20 { _ = miss(&tries, client) }
        #expect(tries.issue(at: 0) == nil)
        _ = miss(&tries, 20)
        let issue = tries.issue(at: second)
        #expect(issue?.contains("20 were wrong, for 1 of them") == true && issue?.contains("Ada") == false)
        #expect(tries.issue(at: SecretTries.memory) == nil)
    }

    @Test func `of 1,024 households it is known how many were wrong, and no more`() {
        var tries = SecretTries()
        for number in 1...3_000 { _ = miss(&tries, number, "\(number)", at: Int64(number)) }
        for client in 4_001...4_004 { _ = miss(&tries, client, "1", at: 4_000) }
        #expect(miss(&tries, 4_005, "1", at: 4_000) == 2)
        tries.disconnected(4_005)
        #expect(tries.begin(4_005, at: 4_000) == .now)
    }
}
