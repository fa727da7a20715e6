import Signals
import Testing
import Units

@testable import Live

@Suite struct CurrentSettingsTests {
    private func live(idle: Double = 45, maxHold: Double = 600, tuning: Tuning = .standard) -> LiveSettings {
        LiveSettings(output: .null(speed: 1), rate: .standard, socket: .path("a"), sessions: "", idle: Seconds(idle),
                     maxHold: Seconds(maxHold), theme: .standard, tuning: tuning, seed: nil, version: "0")
    }

    @Test func `settings that count from the next start on stay as they were, and are named`() {
        var current = CurrentSettings(live())
        current.issue = "bad"
        var new = live(maxHold: 5)
        new.socket = .path("b")
        _ = current.take(new, waitingForStart: ["socket"], tuning: .standard)
        #expect(current.values.maxHold == Seconds(5))
        #expect(current.values.socket.path == "a")
        #expect(current.waitingForStart == ["socket"])
        #expect(current.issue == nil, "good ones have been read")
    }
}
