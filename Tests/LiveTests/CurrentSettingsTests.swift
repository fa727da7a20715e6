import Signals
import Testing
import Units

@testable import Live

@Suite struct CurrentSettingsTests {
    private func live(maxHold: Double = 600) -> LiveSettings {
        var settings = LiveSettings.silent()
        settings.values.maxHold = Seconds(maxHold)
        settings.socket = .path("a")
        return settings
    }

    @Test func `settings that count from the next start on stay as they were, and are named`() {
        var current = CurrentSettings(live())
        current.issue = "bad"
        var new = live(maxHold: 5)
        new.socket = .path("b")
        _ = current.take(new, waitingForStart: ["socket"], knobs: .standard)
        #expect(current.values.maxHold == Seconds(5))
        #expect(current.values.socket.path == "a")
        #expect(current.waitingForStart == ["socket"])
        #expect(current.issue == nil, "good ones have been read")
    }
}
