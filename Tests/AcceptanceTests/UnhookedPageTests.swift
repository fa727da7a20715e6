import Testing
import TestSupport

/// The page in a real Chromium, at a real thrumd. It leaves pictures under out/pages.
@Suite(.serialized) struct UnhookedPageTests {
    @Test func `a visitor feeds a pet, lets it fall sick and die, heals it, and remembers it when another comes`() async throws {
        let days = try await playPage("petday.py", [repository + "/out/pages/unhooked"])
        let lines = days.text.split(separator: "\n")
        for line in lines where !line.hasPrefix("PASS") { print("➜ \(line)") }
        #expect(days.status == 0, "\(days.text)\(days.errors)")
        #expect(lines.filter { $0.hasPrefix("PASS") }.count >= 24, "\(days.text)")
    }

    @Test func `a visitor who walks up takes a pet of their own, and hangs it on the wall`() async throws {
        let visit = try await playPage("petvisit.py", [repository + "/out/pages/unhooked-visit"])
        let lines = visit.text.split(separator: "\n")
        for line in lines where !line.hasPrefix("PASS") { print("➜ \(line)") }
        #expect(visit.status == 0, "\(visit.text)\(visit.errors)")
        #expect(lines.filter { $0.hasPrefix("PASS") }.count >= 9, "\(visit.text)")
    }
}
