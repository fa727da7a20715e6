import Testing

@testable import Live

@Suite struct OverloadTests {
    private static let second: Int64 = 1_000_000_000

    @Test func `what was refused in the last ten seconds is an issue in words that stay the same, and over after that`() throws {
        var overload = Overload()
        #expect(overload.issue(at: 5 * Self.second) == nil)
        for _ in 0..<3 { overload.refuse(at: 100 * Self.second + 1) }
        let words = try #require(overload.issue(at: 100 * Self.second + 1))
        overload.refuse(at: 104 * Self.second)
        #expect(overload.issue(at: 113 * Self.second + 999_999_999) == words)
        #expect(overload.issue(at: 114 * Self.second) == nil)
        #expect(overload.total == 4)
    }
}
