import Fields
import Glibc
import Wire

/// The methods by which those who run an installation look after the daemon itself.
enum OperationMethods {
    static let all: [Method] = [
        .query("client.list", to: .inspect, "Clients that are connected, by name and role.", result: "clients", Example.clients) {
            ConnectedClients(clients: $0.clients.presence.list)
        },
        .command("log.list", .act(by: .operator), "The newest records of the daemon's log.", result: "log", examples: [Example.log], read: {
            (after: try $0.integerIfPresent("after", in: 0...(1 << 53), about: "those after this number; all by default"),
             level: try $0.choiceIfPresent("level", about: "the least severe; trace by default") as LogLevel?,
             count: try $0.integerIfPresent("count", in: 1...RecentLog.room, unit: "records", about: "of the newest; all by default"))
        }) { stage, wanted, caller in
            caller.answer(LogAnswer(records: stage.desks.reports.log.records(after: wanted.after ?? 0, from: wanted.level ?? .trace,
                                                                             count: wanted.count ?? RecentLog.room)))
        },
        .command("setting.list", .act(by: .operator), "Every setting as it is in use, and where it is from.", result: "settings",
                 examples: [Example.settings], read: { _ in () }) { stage, _, caller in
            caller.answer(SettingList(settings: stage.desks.reports.settings(on: stage)))
        },
        .command("setting.reload", .act(by: .operator), refuses: [.notNow, .busy],
                 "The settings are read again, as by SIGHUP.", result: "reload",
                 examples: [Example.reload], read: { _ in () }) { stage, _, caller in stage.desks.reports.reload(caller) },
        .query("schedule.week", "Which preset the schedule has for when, for seven days.", result: "week", Example.week) {
            $0.house.week(at: $0.clock.instant, utcOffset: SystemTime.utcOffset)
        },
        .command("clock.accept", .act(by: .operator), refuses: [.notNow],
                 "The house lives by the machine's clock again, which has jumped while thrumd ran.",
                 result: "clock", examples: [Example.clock], read: { _ in () }) { stage, _, caller in stage.acceptClock(caller) },
    ]
}
