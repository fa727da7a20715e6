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
