import Wire

/// Records the last report of the machine's kiosk, whether reports still come, and which screens are dark though the house is open. The
/// caller passes the time (CLOCK_MONOTONIC, nanoseconds). Only the stage has this class, so its state belongs to the event loop.
final class KioskDesk {
    /// The time in seconds for which a kiosk, which reports once a second, may be silent.
    private static let timeout = 10.0
    /// The time in seconds for which a screen may have no new frame while the house is open. Pages report frames once a second and `watch`
    /// is called once a second, so the issue is known within 15 s.
    private static let darkness = 12.0

    /// The names of the screens in the settings.
    var screens: [String]
    private var last: (report: KioskReport, at: Int64)?
    /// Whether the kiosk has announced that it ends.
    private var hasLeft = false
    /// The time at which an operator last asked the kiosk to start anew; nil where nobody has since the kiosk last reported.
    private var restartWantedAt: Int64?
    /// The secret word by which the page of each screen is recognized.
    private var words: [String: String] = [:]
    /// The time at which the house opened; nil while it is closed.
    private var openSince: Int64?
    /// The time at which the page on each screen last drew.
    private var drewAt: [String: Int64] = [:]

    init(screens: [String] = []) { self.screens = screens }

    /// Takes a kiosk's report, which is nil if the kiosk says that it ends. Returns what the kiosk is to do. `words` has the secret word of
    /// each screen's page.
    @discardableResult
    func take(_ report: KioskReport?, words: [String: String] = [:], at now: Int64) -> KioskOrders {
        last = report.map { ($0, now) }
        hasLeft = report == nil
        self.words = words
        // Each wish reaches one kiosk once. A kiosk that comes later has started anew already.
        defer { restartWantedAt = nil }
        let isWanted = restartWantedAt.map { Double(now - $0) / 1e9 <= Self.timeout } ?? false
        return KioskOrders(isToRestart: report != nil && isWanted)
    }

    /// Has the kiosk start anew at its next report. Returns false where no kiosk reports.
    func askToRestart(at now: Int64) -> Bool {
        guard let status = status(at: now), status.secondsSinceReport <= Self.timeout else { return false }
        restartWantedAt = now
        return true
    }

    /// Records when the page of each screen last drew, and since when the house has been open. It is called once a second.
    func watch(_ pages: [StatusReport.Page], isOpen: Bool, at now: Int64) {
        openSince = isOpen ? openSince ?? now : nil
        for page in pages {
            guard let screen = page.screen else { continue }
            drewAt[screen] = max(drewAt[screen] ?? .min, now - Int64(page.secondsSinceFrame * 1e9))
        }
    }

    /// Whether a page that says `word` is the page that the kiosk shows on `screen`.
    func knows(_ screen: String, by word: String?) -> Bool { word != nil && words[screen] == word }

    /// Returns the kiosk's last report and its age; nil where no kiosk has reported, or the last one has announced its end.
    func status(at now: Int64) -> StatusReport.Kiosk? {
        last.map { StatusReport.Kiosk(report: $0.report, secondsSinceReport: Double(now - $0.at) / 1e9) }
    }

    /// Returns the issues in words: that the kiosk has vanished without announcing its end; if it has not, which screens are dark while the
    /// house is open.
    func issues(at now: Int64) -> [String] {
        if let status = status(at: now), status.secondsSinceReport > Self.timeout {
            return ["the kiosk is gone: it has told nothing for \(Int(status.secondsSinceReport)) s"]
        }
        guard let openSince else { return [] }
        return screens.filter { Double(now - max(openSince, drewAt[$0] ?? .min)) / 1e9 > Self.darkness }.map {
            "the kiosk's screen \($0) is dark while the house is open: \(cause(of: $0))"
        }
    }

    private func cause(of screen: String) -> String {
        guard let report = last?.report else {
            return hasLeft ? "thrum kiosk was stopped"
                : "thrum kiosk has not reported since thrumd was started: see systemctl status thrum-kiosk, and thrum kiosk --check"
        }
        guard let known = report.screens.first(where: { $0.name == screen }) else {
            return "thrum kiosk does not know it, because it was started with other settings"
        }
        guard report.areScreensOn else { return "thrum kiosk has switched it off" }
        return known.issue ?? "thrum kiosk has it drawn, and no page says so to thrumd"
    }
}
