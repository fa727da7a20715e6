import Testing
import TestSupport

/// The console in a real Chromium, at a real thrumd. It leaves pictures under out/pages.
@Suite(.serialized) struct ConsolePageTests {
    @Test func `one operator proposes a price, another approves and publishes it, and the running household pays it`() async throws {
        let hour = try await playPage("console.py", [repository + "/out/pages/console"])
        let lines = hour.text.split(separator: "\n")
        for line in lines where !line.hasPrefix("PASS") { print("➜ \(line)") }
        #expect(hour.status == 0, "\(hour.text)\(hour.errors)")
        #expect(lines.filter { $0.hasPrefix("PASS") }.count >= 19, "\(hour.text)")
    }
}
