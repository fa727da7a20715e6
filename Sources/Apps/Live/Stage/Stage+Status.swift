import CLinux
import Evdev
import Units
import Wire

// How things are.
extension Stage {
    func status() -> StatusReport {
        let report = outputs.reports.read()
        let now = monotonicNanoseconds()
        var journal = recorder.health
        journal.isLosing = losses.isLosing(journal.lost, at: now)
        return StatusSources(
            settings: settings, output: report,
            session: conductor.visit.map {
                StatusSources.Session(start: $0.start, events: conductor.run?.events ?? 0, isHeld: conductor.isHeld)
            },
            sessions: conductor.visits, runs: conductor.runs, frame: timing.due(now, report).frame, uptime: now - started,
            wakeUpsPerSecond: wakeUps.perSecond, lateEvents: receipts.late, refusedEvents: overload.total,
            clients: clients.presence.count, pageAddress: listeners?.pageAddress, pages: clients.presence.pages(at: now),
            kiosk: kiosk.status(at: now),
            released: clients.presence.released, refused: refused,
            journal: journal, devices: outputs.devices?.report ?? Devices.Report(), patterns: outputs.patterns,
            house: HouseReport(house, at: clock.instant, volume: conductor.volume, mute: handMarks.mute, ceiling: ceiling,
                               waitingForStart: settings.waitingForStart),
            reopenedListeners: listeners?.reopened ?? 0, time: clock.instant, monitorIssue: monitor.issue(report), clockIssue: clock.issue,
            listenerIssues: listeners?.issues ?? [],
            keptIssues: kept.issues(on: clock.today) + (desks.secrets.issue(at: now).map { [$0] } ?? []),
            overloadIssue: overload.issue(at: now),
            kioskIssues: kiosk.issues(at: now), refusals: conductor.refusals
        ).report
    }

    private var ceiling: HouseReport.Ceiling {
        let (level, setting) = (conductor.ceiling, conductor.theme.ceiling)
        return HouseReport.Ceiling(level: level.rawValue, setting: setting.rawValue, byHand: level < setting ? handMarks.ceiling : nil)
    }

    private var refused: StatusReport.Refused {
        var refused = rejections.counts
        (refused.notifications, refused.lastNotification) = clients.presence.refusedNotifications
        refused.clients = listeners?.turnedAway ?? 0
        refused.rates = clients.rates.refused
        return refused
    }

    var state: StateReport {
        StateReport(hasSession: conductor.visit != nil, isHeld: conductor.isHeld, fingers: conductor.fingers, tone: outputs.tone,
                    isMuted: conductor.isMuted, ceiling: conductor.ceiling.rawValue, output: outputs.reports.read().state.report)
    }
}
