import Wire

// What those who run an installation ask for.
extension Stage {
    /// Every setting as it is in use: what somebody has changed by hand, too.
    var settingReports: [SettingReport] {
        settings.reports.map { report in
            guard let value = valueByHand(of: report.key) else { return report }
            var report = report
            (report.value, report.source, report.place) = (value, .hand, nil)
            return report
        }
    }

    /// Nil where it is what the settings say.
    private func valueByHand(of key: String) -> String? {
        if key == settings.values.values.table.catalog.theme.entry.name { return house.isThemeByHand ? house.theme.name : nil }
        guard let knob = conductor.piece.declaration.knobs.first(where: { $0.name == key }) else { return nil }
        let value = conductor.knobs[knob]
        guard value != settings.values.knobs[knob] else { return nil }
        // As a settings file has it.
        return if case .flag(let isOn) = value { isOn ? "yes" : "no" } else { value.words }
    }

    /// The answer comes when the settings have been read, which takes other threads.
    func reload(_ caller: Caller) {
        let request = ReloadRequest { [loop] outcome in
            loop.execute {
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
