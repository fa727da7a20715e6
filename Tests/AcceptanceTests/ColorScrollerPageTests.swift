import Testing
import TestSupport

/// The page in a real Chromium, at a real thrumd. It leaves pictures under out/pages.
@Suite(.serialized) struct ColorScrollerPageTests {
    @Test func `a visitor of 150 cards sees all that is announced, and the page outlives its engine`() async throws {
        let visit = try await playPage("visit.py", [repository + "/out/pages/colorscroller"])
        let lines = visit.text.split(separator: "\n")
        for line in lines where !line.hasPrefix("PASS") { print("➜ \(line)") }
        #expect(visit.status == 0, "\(visit.text)\(visit.errors)")
        #expect(lines.filter { $0.hasPrefix("PASS") }.count >= 12, "\(visit.text)")
    }

    @Test func `a page whose touches are the engine's draws from them, and from no pointer`() async throws {
        let visit = try await playPage("streamed.py")
        #expect(visit.status == 0, "\(visit.text)\(visit.errors)")
        #expect(visit.text.split(separator: "\n").filter { $0.hasPrefix("PASS") }.count == 11, "\(visit.text)")
    }
}
