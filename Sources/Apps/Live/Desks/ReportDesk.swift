import Fields
import Glibc
import Wire

/// Tells those who run an installation of its settings and its log. A plain value. Thread: the event loop.
struct ReportDesk {
    /// The newest records of what the daemon's logger was told.
    let log: RecentLog
    /// Whoever reads the settings again; nil where there is nobody.
    private let reloads: AsyncStream<ReloadRequest>.Continuation?

    init(_ log: RecentLog, _ reloads: AsyncStream<ReloadRequest>.Continuation?) { (self.log, self.reloads) = (log, reloads) }

    /// Returns every setting as it is in use, with what somebody has changed by hand.
    func settings(on stage: isolated Stage) -> [SettingReport] {
        stage.settings.reports.map { report in
            guard let value = valueByHand(of: report.key, stage) else { return report }
            var report = report
            (report.value, report.source, report.place) = (value, .hand, nil)
            return report
        }
    }

    /// Returns a setting's value that somebody has chosen by hand; nil where it is what the settings say.
    private func valueByHand(of key: String, _ stage: isolated Stage) -> String? {
        let (settings, house) = (stage.settings, stage.house)
        if key == settings.values.values.table.catalog.theme.entry.name { return house.isThemeByHand ? house.theme.name : nil }
        guard let knob = stage.conductor.piece.declaration.knobs.first(where: { $0.name == key }) else { return nil }
        let value = stage.conductor.knobs[knob]
        guard value != settings.values.knobs[knob] else { return nil }
        // As a settings file has it.
        return if case .flag(let isOn) = value { isOn ? "yes" : "no" } else { value.words }
    }

    /// Has the settings read again, and answers when other threads have done it.
    func reload(_ caller: Caller) {
        let request = ReloadRequest { outcome in
            Later(caller).resume { _ in
                switch outcome {
                case .done(let report): caller.answer(report)
                case .bad(let faults):
                    let words = "the settings are bad, and the ones before are kept:\n" + faults.joined(separator: "\n")
                    caller.refuse(ErrorReply(.refused(.notNow), words))
                case .givenUp: caller.refuse(ErrorReply(.refused(.shuttingDown), "shutting down"))
                }
            }
        }
        guard let reloads, case .enqueued = reloads.yield(request) else {
            return caller.refuse(ErrorReply(.refused(.busy), "the settings cannot be read again just now"))
        }
    }
}

/// The methods by which those who run an installation look after the daemon itself.
extension ReportDesk {
    static let methods: [Method] = [
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
