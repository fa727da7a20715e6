import Experience
import Registry
import Testing
import TestSupport

/// Captions of each page in a real Chromium, at a real thrumd. It leaves pictures under out/pages.
@Suite(.serialized) struct CaptionsPageTests {
    @Test func `who hears nothing reads what sounds, on every page`() async throws {
        let pages = Registry.pieces.declarations.compactMap(\.page)
        let read = try await playPage("captions.py", [repository + "/out/pages/captions"] + pages)
        #expect(read.status == 0, "\(read.text)\(read.errors)")
        // Four of each page, one for each of six sizes, and one of the tone.
        #expect(read.text.split(separator: "\n").filter { $0.hasPrefix("PASS") }.count == (4 + 6) * pages.count + 1, "\(read.text)")
    }
}
