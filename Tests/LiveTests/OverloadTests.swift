import Testing

@testable import Live

@Suite struct OverloadTests {
    private static let second: Int64 = 1_000_000_000

    @Test func `what was refused in the last ten seconds is a trouble with its number, and over after that`() {
        var overload = Overload()
        #expect(overload.trouble(at: 5 * Self.second) == nil)
        for _ in 0..<3 { overload.refuse(at: 100 * Self.second + 1) }
        overload.refuse(at: 104 * Self.second)
        #expect(overload.trouble(at: 104 * Self.second)?.hasSuffix(": 4 refused in the last 10 s") == true)
        #expect(overload.trouble(at: 109 * Self.second + 999_999_999)?.contains(" 4 refused") == true)
        #expect(overload.trouble(at: 110 * Self.second)?.contains(" 1 refused") == true)
        #expect(overload.trouble(at: 114 * Self.second) == nil)
        #expect(overload.total == 4)
    }

    @Test func `a flood of any length is counted in ten numbers`() {
        var overload = Overload()
        for turn in 0..<1_000_000 as Range<Int64> { overload.refuse(at: turn * 100_000_000) }
        #expect(overload.total == 1_000_000)
        #expect(overload.trouble(at: 99_999 * Self.second + 900_000_000)?.contains(" 100 refused") == true)
        #expect(Mirror(reflecting: overload).children.compactMap { $0.value as? [Any] }.map(\.count) == [10])
    }
}
