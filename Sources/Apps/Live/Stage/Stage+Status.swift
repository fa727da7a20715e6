import CLinux
import Evdev
import Units
import Wire

// How things are.
extension Stage {
    func status() -> StatusReport {
        let report = reports.read()
        let now = monotonicNanoseconds()
        return StatusSources(
            settings: settings, output: report,
            session: conductor.session.map { StatusSources.Session(start: $0.start, events: $0.events, isHeld: $0.isHeld) },
            sessions: conductor.sessions, frame: timing.due(now, report).frame, uptime: now - started,
            wakeUpsPerSecond: wakeUps.perSecond, lateEvents: receipts.late, refusedEvents: overload.total,
            clients: presence.count, letGo: presence.letGo, journal: recorder.health,
            devices: outlet.devices?.report ?? Devices.Report(), patterns: outlet.patterns,
            house: HouseReport(house, volume: conductor.volume, waitingForStart: settings.waitingForStart),
            reopenedListeners: listeners?.reopened ?? 0, monitorIssue: monitor.issue(report),
            listenerIssues: listeners?.issues ?? [], keptIssues: kept.issues(on: SystemTime.today), overloadIssue: overload.issue(at: now)
        ).report
    }

    var state: StateReport {
        let session = conductor.session
        return StateReport(hasSession: session != nil, isHeld: session?.isHeld ?? false, fingers: session?.fingers ?? 0, tone: outlet.tone,
                           isMuted: conductor.isMuted, ceiling: conductor.ceiling.rawValue, output: reports.read().state.name)
    }
}
