import AudioOutput
import CLinux
import Evdev
import Experience
import Synth
import Units
import Wire

/// The parts of the answer to `status`.
struct StatusSources {
    struct Session {
        /// The output's frame at which it began.
        var start: Frame
        var events: Int
        var isHeld: Bool
    }

    var settings: CurrentSettings
    var output: OutputReport
    /// Nil between visitors.
    var session: Session?
    /// Begun since the start.
    var sessions: Int
    /// The same of runs, each of which has a journal.
    var runs: Int
    /// The frame at which an event would be due now.
    var frame: Frame
    /// Nanoseconds since the start.
    var uptime: Int64
    var wakeUpsPerSecond: Double
    var lateEvents: UInt64
    /// Events that were refused for want of room.
    var refusedEvents: UInt64
    var clients: Int
    var pageAddress: String?
    var pages: [StatusReport.Page]
    var kiosk: StatusReport.Kiosk?
    var released: StatusReport.Released
    var refused = StatusReport.Refused()
    var journal: JournalRecorder.Health
    var devices: Devices.Report
    /// Haptic patterns asked for.
    var patterns: UInt64
    var house: HouseReport
    var reopenedListeners: UInt64
    /// The house's time, in seconds since 1970-01-01 in UTC.
    var time: Int
    /// Issues that their parts tell in words, in the order in which they are told: of the monitor, the clock, the listeners, what is kept,
    /// overload, the kiosk.
    var monitorIssue: String?
    var clockIssue: String?
    var listenerIssues: [String]
    var keptIssues: [String]
    var overloadIssue: String?
    var kioskIssues: [String] = []
    /// What the piece returned and was not used.
    var unusedEffects = UnusedEffects()

    var report: StatusReport {
        let values = settings.values
        let rate = values.rate
        var report = StatusReport(house: house)
        (report.version, report.experience) = (values.version, values.piece.declaration.name)
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
    /// Reads what the stage's parts say now.
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
                  tone: stage.outputs.tone, isMuted: stage.conductor.isMuted, ceiling: stage.conductor.ceiling.rawValue,
                  output: stage.outputs.reports.read().state.report)
    }
}
