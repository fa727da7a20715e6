import Fields
import Glibc
import Wire

/// The methods by which operators look after the daemon itself.
enum OperationMethods {
    static let all: [Method] = [
        .query("client.list", to: .inspect, "Clients that are connected, by name and role.", result: "clients", Example.clients) {
            ConnectedClients(clients: $0.clients.presence.list)
        },
        .query("fault.list", to: .inspect, "Issues and discontinuities since the daemon's start, and when they were.", result: "faults",
               Example.faults) { FaultList(faults: $0.outputs.faults.records) },
        .command("log.list", .act(by: .operator), "The newest records of the daemon's log.", result: "log", examples: [Example.log], read: {
            (after: try $0.integerIfPresent("after", in: 0...(1 << 53), about: "those after this number; all by default") ?? 0,
             level: try $0.choiceIfPresent("level", about: "the least severe; trace by default") ?? LogLevel.trace,
             count: try $0.integerIfPresent("count", in: 1...RecentLog.room, unit: "records", about: "of the newest; all by default"),
             before: try $0.integerIfPresent("before", in: 1...(1 << 53), about: "those before this number; all by default"))
        }) { stage, wanted, caller in
            let records = stage.desks.reports.log.records(after: wanted.after, before: wanted.before ?? .max, from: wanted.level,
                                                          count: wanted.count ?? RecentLog.room)
            caller.answer(LogAnswer(records: records, utcOffset: SystemTime.utcOffset(stage.clock.instant)))
        },
        .command("setting.list", .act(by: .operator), "Every setting as it is in use, and where it is from.", result: "settings",
                 examples: [Example.settings], read: { _ in () }) { stage, _, caller in
            caller.answer(SettingList(settings: stage.desks.reports.settings(on: stage)))
        },
        .command("setting.reload", .act(by: .operator), refuses: [.notNow, .busy],
                 "The settings are read again, as by SIGHUP.", result: "reload",
                 examples: [Example.reload], read: { _ in () }) { stage, _, caller in stage.desks.reports.reload(caller) },
        .command("daemon.restart", .act(by: .operator), refuses: [.unavailable],
                 "The daemon ends softly, and the service manager starts it again. A session under way ends.",
                 read: { _ in () }) { stage, _, caller in stage.desks.restarts.restartDaemon(caller, on: stage) },
        .command("kiosk.restart", .act(by: .operator), refuses: [.unavailable],
                 "The kiosk ends its browsers and its compositor, reads its settings, and starts anew.",
                 read: { _ in () }) { stage, _, caller in stage.desks.restarts.restartKiosk(caller, on: stage) },
        .query("schedule.week", "Which preset the schedule has for when, for seven days.", result: "week", Example.week) {
            $0.house.week(at: $0.clock.instant, utcOffset: SystemTime.utcOffset)
        },
        .command("clock.accept", .act(by: .operator), refuses: [.notNow],
                 "The house lives by the machine's clock again, which has jumped while thrumd ran.",
                 result: "clock", examples: [Example.clock], read: { _ in () }) { stage, _, caller in stage.acceptClock(caller) },
    ]
}
