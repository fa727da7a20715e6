import Signals
import Testing
import Units
import Wire

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
        current.issues = ["bad"]
        var new = live(maxHold: 5)
        new.socket = .path("b")
        _ = current.take(new, waitingForStart: ["socket"], knobs: .standard)
        #expect(current.values.maxHold == Seconds(5))
        #expect(current.values.socket.path == "a")
        #expect(current.waitingForStart == ["socket"])
        #expect(current.issues.isEmpty, "good ones have been read")
        current.saveFailure = "disk full"
        #expect(current.allIssues.count == 1 && current.allIssues[0].hasSuffix("earlier ones: disk full"))
    }

    @Test func `what is told of settings that wait for a start is what they are, and what they will be`() {
        func report(_ key: String, _ value: String) -> SettingReport {
            SettingReport(key: key, value: value, unit: nil, source: .file, place: "a:\(value)", effect: .start)
        }
        var first = live()
        first.reports = [report("rate", "44100"), report("idle", "45")]
        var current = CurrentSettings(first)
        var new = live()
        new.reports = [report("rate", "48000"), report("idle", "30")]
        _ = current.take(new, waitingForStart: ["rate"], knobs: .standard)
        var waiting = report("rate", "44100")
        waiting.next = "48000"
        #expect(current.reports == [waiting, report("idle", "30")])
        // Put back, it waits for nothing.
        new.reports = first.reports
        _ = current.take(new, waitingForStart: [], knobs: .standard)
        #expect(current.reports == first.reports)
    }

    @Test func `the card's own rate is still told after a reload, until a rate is set`() {
        func report(_ value: String, _ source: SettingReport.Source, _ place: String?) -> SettingReport {
            SettingReport(key: "rate", value: value, unit: "Hz", source: source, place: place, effect: .start)
        }
        var first = live()
        first.reports = [report("44100", .card, "hw:CARD=PCH")]
        var current = CurrentSettings(first)
        var new = live()
        new.reports = [report("48000", .default, nil)]
        _ = current.take(new, waitingForStart: [], knobs: .standard)
        #expect(current.reports == first.reports)
        new.reports = [report("48000", .file, "thrum.yaml:3")]
        _ = current.take(new, waitingForStart: ["rate"], knobs: .standard)
        var waiting = report("44100", .card, "hw:CARD=PCH")
        waiting.next = "48000"
        #expect(current.reports == [waiting])
    }
}
