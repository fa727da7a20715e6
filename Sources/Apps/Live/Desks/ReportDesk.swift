import Wire

/// Tells operators about the settings and the log. A plain value. Thread: the event loop.
struct ReportDesk {
    /// The newest records of the daemon's log.
    let log: RecentLog
    /// Receives requests to reread the settings; nil where nobody handles them.
    private let reloads: AsyncStream<ReloadRequest>.Continuation?

    init(_ log: RecentLog, _ reloads: AsyncStream<ReloadRequest>.Continuation?) { (self.log, self.reloads) = (log, reloads) }

    /// Returns every setting as it is in use, including changes by hand.
    func settings(on stage: isolated Stage) -> [SettingReport] {
        stage.settings.reports.map { report in
            guard let value = valueByHand(of: report.key, stage) else { return report }
            var report = report
            (report.value, report.source, report.place) = (value, .hand, nil)
            return report
        }
    }

    /// Returns the value of the setting `key` that is in use because somebody has set it by hand; nil where the value of the settings is in
    /// use.
    private func valueByHand(of key: String, _ stage: isolated Stage) -> String? {
        let (settings, house) = (stage.settings, stage.house)
        if key == settings.values.values.table.catalog.theme.entry.name { return house.isThemeByHand ? house.theme.name : nil }
        guard let knob = stage.conductor.piece.declaration.knobs.first(where: { $0.name == key }) else { return nil }
        let value = stage.conductor.knobs[knob]
        guard value != settings.values.knobs[knob] else { return nil }
        // The value in the notation of a settings file.
        return if case .flag(let isOn) = value { isOn ? "yes" : "no" } else { value.words }
    }

    /// Requests that the settings be reread, and answers when other threads have done so.
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
