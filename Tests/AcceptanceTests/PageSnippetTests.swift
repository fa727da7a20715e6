import Testing
import TestSupport

/// What makers of pages copy must run.
@Suite struct PageSnippetTests {
    @Test func `the page that docs/pages.md begins with draws the feed, follows a finger, and begins anew after a visit`() async throws {
        let visit = try await playPage("snippet.py")
        #expect(visit.status == 0, "\(visit.text)\(visit.errors)")
        #expect(visit.text.split(separator: "\n").filter { $0.hasPrefix("PASS") }.count == 4, "\(visit.text)")
    }
}
