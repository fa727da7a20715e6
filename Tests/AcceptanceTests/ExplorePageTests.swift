import Testing
import TestSupport

/// Each page in a real Chromium, at a real thrumd, by a finger that knows only what it is told.
@Suite(.serialized) struct ExplorePageTests {
    @Test func `who does not see finds each piece's main act by sliding a finger, and does it by a second tap`() async throws {
        let explored = try await playPage("explore.py")
        #expect(explored.status == 0, "\(explored.text)\(explored.errors)")
        #expect(explored.text.split(separator: "\n").filter { $0.hasPrefix("PASS") }.count == 17, "\(explored.text)")
    }
}
