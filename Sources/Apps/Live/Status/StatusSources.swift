import AudioOutput
import CLinux
import Evdev
import Experience
import Synth
import Units
import Wire

/// The inputs of the answer to `status`.
struct StatusSources {
    struct Session {
        /// The frame of the output at which the session began.
        var start: Frame
        var events: Int
        var isHeld: Bool
    }

    var settings: CurrentSettings
    var output: OutputReport
    /// The running session; nil between visitors.
    var session: Session?
    /// The number of sessions that have begun since the daemon's start.
    var sessions: Int
    /// The number of runs since the daemon's start. Each run has a journal.
    var runs: Int
    /// The frame of the output at which an event would be due now.
    var frame: Frame
    /// The time since the daemon's start, in nanoseconds.
    var uptime: Int64
    var wakeUpsPerSecond: Double
    var lateEvents: UInt64
    /// The number of events that were refused because there was no room.
    var refusedEvents: UInt64
    var clients: Int
    var pageAddress: String?
    var pages: [StatusReport.Page]
    var kiosk: StatusReport.Kiosk?
    var released: StatusReport.Released
    var refused = StatusReport.Refused()
    var journal: JournalRecorder.Health
    var devices: Devices.Report
    /// The number of haptic patterns that were requested.
    var patterns: UInt64
    var house: HouseReport
    var reopenedListeners: UInt64
    /// The house's time, in seconds since 1970-01-01 in UTC.
    var time: Int
    /// This and the following properties are issues in words, in the order of the answer: those of the monitor, the clock, the listeners,
    /// the state database, overload, and the kiosk.
    var monitorIssue: String?
    var clockIssue: String?
    var listenerIssues: [String]
    var keptIssues: [String]
    var overloadIssue: String?
    var kioskIssues: [String] = []
    /// Effects that the piece returned and that could not be used.
    var unusedEffects = UnusedEffects()

    var report: StatusReport {
        let values = settings.values
        let rate = values.rate
        var report = StatusReport(house: house)
        (report.version, report.experience) = (values.version, values.piece.declaration.name)
        report.model = values.reportedModel
        report.uptimeSeconds = Double(uptime) / 1e9
        (report.clients, report.pageAddress, report.pages, report.kiosk) = (clients, pageAddress, pages, kiosk)
        report.output = StatusReport.Output(output, values.output, rate: rate, lateEvents: lateEvents, wakeUpsPerSecond: wakeUpsPerSecond)
        report.session = session.map {
            StatusReport.Session(journal: journal.session == runs ? journal.path : nil,
                                 seconds: max(0, rate.seconds(in: frame - $0.start).rawValue), events: $0.events, isHeld: $0.isHeld)
        }
        report.sessions = sessions
        report.synth = output.engine
        report.synth.overload = refusedEvents
        report.devices = StatusReport.Devices(devices, patterns: patterns, transducers: values.transducers)
        (report.released, report.refused, report.reopenedListeners) = (released, refused, reopenedListeners)
        (report.lostEntries, report.disturbedJournals) = (journal.lost, journal.disturbed)
        report.journalKey = journal.signing.signing.map { StatusReport.JournalKey($0.key.publicKey) }
        report.issues = issues
        return report
    }

    private var issues: [String] {
        var issues = settings.allIssues + settings.values.issues(journal, output, at: time)
        issues += settings.values.prediction.issues
        issues += [journal.signing.issue, journal.keyIssue, monitorIssue, clockIssue].compactMap { $0 }
        issues += devices.issues
        issues += listenerIssues
        issues += keptIssues
        issues += [overloadIssue].compactMap { $0 }
        issues += kioskIssues
        issues += [pieceIssue].compactMap { $0 }
        return issues
    }

    private var pieceIssue: String? {
        guard unusedEffects.total > 0 else { return nil }
        let last = unusedEffects.lastReason.map { ", the last because \($0)" } ?? ""
        return "the experience \(settings.values.piece.declaration.name) asked for \(unusedEffects.total) things that it may not\(last)"
    }
}

extension StatusSources {
    /// Collects the inputs from the parts of the stage.
    init(of stage: isolated Stage) {
        let (report, now) = (stage.outputs.reports.read(), monotonicNanoseconds())
        let (clients, settings, listeners) = (stage.clients, stage.settings, stage.listeners)
        var refused = clients.rejections.counts
        (refused.notifications, refused.lastNotification) = clients.presence.refusedNotifications
        refused.clients = listeners?.turnedAway ?? 0
        refused.rates = stage.desks.rates.refused
        let (level, setting) = (stage.conductor.ceiling, stage.conductor.theme.ceiling)
        let ceiling = HouseReport.Ceiling(level: level.rawValue, setting: setting.rawValue,
                                          byHand: level < setting ? clients.handMarks.ceiling : nil)
        self.init(
            settings: settings, output: report,
            session: stage.conductor.visit.map {
                Session(start: $0.start, events: stage.conductor.run?.events ?? 0, isHeld: stage.conductor.isHeld)
            },
            sessions: stage.conductor.visits, runs: stage.conductor.runs, frame: stage.timing.due(now, report).frame,
            uptime: now - stage.started,
            wakeUpsPerSecond: stage.sound.wakeUps.perSecond, lateEvents: clients.receipts.late, refusedEvents: clients.overload.total,
            clients: clients.presence.count, pageAddress: listeners?.pageAddress, pages: clients.presence.pages(at: now),
            kiosk: stage.desks.kiosk.status(at: now), released: clients.presence.released, refused: refused,
            journal: stage.recorder.health(at: now), devices: stage.outputs.devices?.report ?? Devices.Report(),
            patterns: stage.outputs.patterns,
            house: HouseReport(stage.house, at: stage.clock.instant, volume: stage.conductor.volume, mute: clients.handMarks.mute,
                               ceiling: ceiling, waitingForStart: settings.waitingForStart),
            reopenedListeners: listeners?.reopened ?? 0, time: stage.clock.instant, monitorIssue: stage.sound.monitor.issue(report),
            clockIssue: stage.clock.issue, listenerIssues: listeners?.issues ?? [],
            keptIssues: stage.kept.issues(on: stage.clock.today) + (stage.desks.secrets.issue(at: now).map { [$0] } ?? []),
            overloadIssue: clients.overload.issue(at: now), kioskIssues: stage.desks.kiosk.issues(at: now),
            unusedEffects: stage.conductor.unusedEffects)
    }
}

extension StateReport {
    init(of stage: isolated Stage) {
        self.init(hasSession: stage.conductor.visit != nil, isHeld: stage.conductor.isHeld, fingers: stage.conductor.fingers,
                  tone: stage.outputs.tone, isMuted: stage.conductor.isMuted, isNoticed: stage.desks.switches.isSomebodyThere,
                  ceiling: stage.conductor.ceiling.rawValue, output: stage.outputs.reports.read().state.report)
    }
}
