import Testing
import TestSupport

/// The console in a real Chromium, at a real thrumd. It leaves pictures under out/pages.
@Suite(.serialized) struct ConsolePageTests {
    @Test func `one operator proposes a price, another approves and publishes it, and the running household pays it`() async throws {
        try await expectClaims("console.py", "console", atLeast: 19)
    }

    @Test func `whoever looks after a box sees how it is, changes it, and is told why something is refused`() async throws {
        try await expectClaims("box.py", "box", atLeast: 38)
    }

    @Test func `what was recorded is found, heard and saved, by who may`() async throws {
        try await expectClaims("sessions.py", "sessions", atLeast: 30, Programs.thrum)
    }

    @Test func `whoever looks after a venue reads its week, calibrates it, and is told what to do about its devices`() async throws {
        try await expectClaims("venue.py", "venue", atLeast: 52)
    }

    @Test func `each view's main task is done with the keyboard alone, and what has the focus shows it`() async throws {
        try await expectClaims("keyboard.py", "keyboard", atLeast: 27)
    }

    /// Every claim of the script holds, and there are `least` of them.
    private func expectClaims(_ script: String, _ folder: String, atLeast least: Int, _ more: String...) async throws {
        let hour = try await playPage(script, [repository + "/out/pages/" + folder] + more)
        let lines = hour.text.split(separator: "\n")
        for line in lines where !line.hasPrefix("PASS") { print("➜ \(line)") }
        #expect(hour.status == 0, "\(hour.text)\(hour.errors)")
        #expect(lines.filter { $0.hasPrefix("PASS") }.count >= least, "\(hour.text)")
    }
}
