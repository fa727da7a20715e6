import AudioOutput
import Evdev
import Signals
import Synth
import Testing
import Units
import Wire

@testable import Live

@Suite struct StatusSourcesTests {
    private func sources() -> StatusSources {
        let settings = LiveSettings.silent(version: "7")
        let current = CurrentSettings(settings)
        var output = OutputReport()
        output.state = .null
        return StatusSources(
            settings: current, output: output, session: nil, sessions: 0, runs: 0, frame: .zero, uptime: 0, wakeUpsPerSecond: 0, lateEvents: 0,
            refusedEvents: 0, clients: 0, pages: [], released: StatusReport.Released(), journal: JournalRecorder.Health(), devices: Devices.Report(),
            patterns: 0, house: HouseReport(House(settings), volume: .fullScale, ceiling: HouseReport.Ceiling(level: -1, setting: -1),
                                                           waitingForStart: []), reopenedListeners: 0,
            monitorIssue: nil, listenerIssues: [], keptIssues: [], overloadIssue: nil)
    }

    @Test func `a session's time counts from its first frame, and is never negative`() {
        var sources = sources()
        sources.sessions = 3
        sources.session = StatusSources.Session(start: Frame(48_000), events: 5, isHeld: true)
        sources.frame = Frame(120_000)
        #expect(sources.report.session == StatusReport.Session(journal: nil, seconds: 1.5, events: 5, isHeld: true))
        sources.frame = Frame(40_000)
        #expect(sources.report.session?.seconds == 0, "its first event is due a moment later")
        sources.session = nil
        #expect(sources.report.session == nil)
    }

    @Test func `a journal is named with the session that it is of, and not with the next one`() {
        var sources = sources()
        sources.session = StatusSources.Session(start: .zero, events: 1, isHeld: false)
        sources.runs = 2
        sources.journal.path = "two.jsonl"
        sources.journal.session = 2
        #expect(sources.report.session?.journal == "two.jsonl")
        sources.runs = 3
        #expect(sources.report.session?.journal == nil)
    }

    @Test func `what a piece returned and was not used is an issue`() {
        var sources = sources()
        sources.refusals.cues = 3
        sources.refusals.lastReason = "the theme standard has no chime gong"
        sources.refusals.unusableCues = 1
        #expect(sources.report.issues == ["the experience direct asked for 4 things that it may not, the last because the theme standard has "
                + "no chime gong"])
    }

    @Test func `issues are those of every part, in an order that does not change`() {
        var sources = sources()
        #expect(sources.report.issues == [])
        sources.overloadIssue = "overload"
        sources.keptIssues = ["kept"]
        sources.listenerIssues = ["listener"]
        sources.devices.missing = ["rule"]
        sources.monitorIssue = "monitor"
        sources.journal.issue = "disk"
        sources.settings.issues = ["settings", "more settings"]
        #expect(sources.report.issues == ["settings", "more settings", "disk", "monitor",
                                          "there is no device for the rule rule", "listener", "kept", "overload"])
        #expect(sources.report.summary.hasPrefix("degraded: settings; more settings; disk"))
    }

    @Test func `a mute and a ceiling that are set by hand are said of the house, and are no issues`() {
        var sources = sources()
        #expect(sources.report.house.notices == [] && !sources.report.house.isMuted)
        // `date -u -d @1782568800` is Sat Jun 27 14:00:00 UTC 2026.
        let anna = HouseReport.ByHand(by: "console, client 3, with the token anna", since: 1_782_568_800)
        sources.house = HouseReport(
            House(sources.settings.values), volume: .fullScale, mute: anna,
            ceiling: HouseReport.Ceiling(level: -30, setting: -1.5, byHand: HouseReport.ByHand(by: "client 7, root", since: nil)),
            waitingForStart: [])
        #expect(sources.report.issues == [] && sources.report.house.isMuted)
        let words = [
            "muted by console, client 3, with the token anna since 2026-06-27T14:00:00Z: nothing is heard until output.mute is sent with on=false",
            "the ceiling is -30 dBFS by client 7, root, that of settings, theme and preset is -1.5 dBFS",
        ]
        #expect(sources.report.house.notices == words)
        #expect(sources.report.summary.hasPrefix(words.joined(separator: "; ") + "; rendering into nothing"))
    }

    @Test func `counters are told as their parts have them`() {
        var sources = sources()
        sources.uptime = 2_500_000_000
        (sources.clients, sources.lateEvents, sources.refusedEvents, sources.patterns, sources.reopenedListeners) = (2, 3, 4, 5, 6)
        sources.output.engine.stolenNotes = 7
        sources.journal.lost = 8
        #expect(sources.report.issues == [] && sources.report.lostEntries == 8, "a loss of long ago is counted, and no issue any more")
        sources.journal.isLosing = true
        let report = sources.report
        #expect(report.version == "7" && report.uptimeSeconds == 2.5 && report.clients == 2)
        #expect(report.output.lateEvents == 3 && report.synth.overload == 4 && report.devices.patterns == 5)
        #expect(report.reopenedListeners == 6 && report.synth.stolenNotes == 7 && report.lostEntries == 8)
        #expect(report.issues == ["8 journal entries are lost"])
    }
}
