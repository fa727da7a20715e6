import AudioOutput
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
    /// Of the house, in seconds since 1970-01-01 in UTC.
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
    var refusals = Refusals()

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
        guard refusals.total > 0 else { return nil }
        let last = refusals.lastReason.map { ", the last because \($0)" } ?? ""
        return "the experience \(settings.values.piece.declaration.name) asked for \(refusals.total) things that it may not\(last)"
    }
}
