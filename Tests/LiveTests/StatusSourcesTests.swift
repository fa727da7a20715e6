import AudioOutput
import ColorScroller
import Direct
import Evdev
import Experience
import Foreteller
import HTTPServer
import Settings
import Signals
import Synth
import Testing
import Units
import Venue
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
            patterns: 0, house: HouseReport(House(settings), at: 0, volume: .fullScale,
                                            ceiling: HouseReport.Ceiling(level: -1, setting: -1),
                                            waitingForStart: []), reopenedListeners: 0,
            time: 1_782_568_800, monitorIssue: nil, clockIssue: nil, listenerIssues: [], keptIssues: [], overloadIssue: nil)
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

    @Test func `the model of a piece that predicts is told, and what is wrong with the one that was asked for is an issue`() {
        var sources = sources()
        #expect(sources.report.model == nil)
        var settings = LiveSettings.silent()
        settings.piece = Foreteller.self
        settings.prediction.refusal = "churn-model: it is none"
        sources.settings = CurrentSettings(settings)
        #expect(sources.report.model == StatusReport.Model(name: "rising") && sources.report.issues == ["churn-model: it is none"])
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
        sources.unusedEffects.cues = 3
        sources.unusedEffects.lastReason = "the theme standard has no chime gong"
        sources.unusedEffects.unusableCues = 1
        #expect(sources.report.issues == ["the experience direct asked for 4 things that it may not, the last because the theme standard has "
                + "no chime gong"])
    }

    @Test func `issues are those of every part, in an order that does not change`() {
        var sources = sources()
        #expect(sources.report.issues == [])
        sources.overloadIssue = "overload"
        sources.keptIssues = ["kept"]
        sources.listenerIssues = ["listener"]
        sources.devices.missing = [Devices.Report.Missing(rule: "rule"), Devices.Report.Missing(rule: "wall", device: "Elo")]
        sources.devices.switches = [Devices.Report.Switch(name: "mat", node: "/dev/input/event5", isDeaf: true),
                                    Devices.Report.Switch(name: "bell", node: "/dev/input/event6")]
        sources.monitorIssue = "monitor"
        sources.clockIssue = "clock"
        sources.journal.issue = "disk"
        sources.settings.issues = ["settings", "more settings"]
        #expect(sources.report.issues == ["settings", "more settings", "disk", "monitor", "clock",
                                          "there is no device for the rule rule", "the device Elo is gone, which was used by the rule wall",
                                          "the switch mat (/dev/input/event5) is grabbed by another program: nothing of it is heard",
                                          "listener", "kept", "overload"])
        #expect(sources.report.summary.hasPrefix("degraded: settings; more settings; disk"))
    }

    @Test func `a mute, a volume and a ceiling that are set by hand are said of the house, and are no issues`() {
        var sources = sources()
        #expect(sources.report.house.notices == [] && !sources.report.house.isMuted)
        // `date -u -d @1782568800` is Sat Jun 27 14:00:00 UTC 2026.
        let anna = HouseReport.ByHand(by: "console, client 3, with the token anna", since: 1_782_568_800)
        sources.house = HouseReport(
            House(sources.settings.values, volume: ChosenVolume(level: Decibels(-7.5), by: "shop, client 4", since: nil)), at: 0,
            volume: Decibels(-7.5), mute: anna,
            ceiling: HouseReport.Ceiling(level: -30, setting: -1.5, byHand: HouseReport.ByHand(by: "client 7, root", since: nil)),
            waitingForStart: [])
        #expect(sources.report.issues == [] && sources.report.house.isMuted)
        let words = [
            "muted by console, client 3, with the token anna since 2026-06-27T14:00:00Z: nothing is heard until output.mute is sent with on=false",
            "turned down by 7.5 dB by shop, client 4",
            "the ceiling is -30 dBFS by client 7, root, that of settings, theme and preset is -1.5 dBFS",
        ]
        #expect(sources.report.house.notices == words)
        #expect(sources.report.summary.hasPrefix(words.joined(separator: "; ") + "; rendering into nothing"))
    }

    @Test(arguments: [
        ("7400", nil, "http://127.0.0.1:7400/colorscroller/"), ("192.168.7.20:80", "hall-3", "http://192.168.7.20:80/colorscroller/"),
        ("0.0.0.0:7400", nil, "http://localhost:7400/colorscroller/"), ("[::]:7400", "hall-3,hall", "http://hall-3:7400/colorscroller/"),
        ("[fd00::7]:7400", nil, "http://[fd00::7]:7400/colorscroller/"),
    ] as [(String, String?, String)])
    func `the page's address is one by which it can be reached`(http: String, names: String?, address: String) throws {
        let table = SettingsTable()
        var values = SettingValues(table)
        try values.read(http, as: table.catalog.http)
        values.httpNames = names
        let endpoint = try #require(values.http)
        func settings(_ piece: any Experience.Type, _ pages: Pages?) -> LiveSettings {
            LiveSettings(values, piece: piece, socket: .path(""), http: LiveSettings.HTTP(endpoint: endpoint, access: HTTPAccess(), pages: pages),
                         sessions: "", theme: .standard, version: "0")
        }
        #expect(settings(ColorScroller.self, Pages(in: "/")).pageAddress == address)
        #expect(settings(ColorScroller.self, nil).pageAddress == nil && settings(Direct.self, Pages(in: "/")).pageAddress == nil)
        var sources = sources()
        sources.pageAddress = address
        #expect(sources.report.pageAddress == address)
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
        #expect(report.output.counters.lateEvents == 3 && report.synth.overload == 4 && report.devices.patterns == 5)
        #expect(report.reopenedListeners == 6 && report.synth.stolenNotes == 7 && report.lostEntries == 8)
        #expect(report.issues == ["8 journal entries are lost"])
    }
}
