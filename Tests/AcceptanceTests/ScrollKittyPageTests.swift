import Testing
import TestSupport

/// The page in a real Chromium, at a real thrumd. It leaves pictures under out/pages.
@Suite(.serialized) struct ScrollKittyPageTests {
    @Test func `a visitor gets to know the cat, lives a day to its end, and sees the morning after`() throws {
        // Debian's Python, which has Selenium.
        let day = try run("/usr/bin/python3", [
            repository + "/Tests/AcceptanceTests/pages/day.py", Programs.thrumd, repository + "/out/pages/scrollkitty",
        ])
        let lines = day.text.split(separator: "\n")
        for line in lines where !line.hasPrefix("PASS") { print("➜ \(line)") }
        #expect(day.status == 0, "\(day.text)\(day.errors)")
        #expect(lines.filter { $0.hasPrefix("PASS") }.count >= 14, "\(day.text)")
    }
}
