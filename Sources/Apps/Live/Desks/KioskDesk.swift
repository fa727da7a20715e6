import Wire

/// Notes what the machine's kiosk told last, whether it still tells, and which screens are dark that should not be. The caller gives the
/// time (CLOCK_MONOTONIC, nanoseconds). Only the stage has this class: its state is the event loop's.
final class KioskDesk {
    /// How long a kiosk, which reports once a second, may say nothing, in seconds.
    private static let patience = 10.0
    /// How long a screen may have no new frame while the house is open, in seconds. A page tells of its frames once a second, and `watch`
    /// is called as often: within 15 s somebody is told.
    private static let darkness = 12.0

    /// The screens that the settings name.
    var screens: [String]
    private var last: (report: KioskReport, at: Int64)?
    /// Whether a kiosk has said that it ends.
    private var hasLeft = false
    /// The secret word by which the page of each screen is known.
    private var words: [String: String] = [:]
    /// The moment since which the house is open; nil while it is closed.
    private var openSince: Int64?
    /// When the page on each screen drew last.
    private var drewAt: [String: Int64] = [:]

    init(screens: [String] = []) { self.screens = screens }

    /// Takes a kiosk's report; nil from a kiosk that ends.
    func told(_ report: KioskReport?, words: [String: String] = [:], at now: Int64) {
        last = report.map { ($0, now) }
        hasLeft = report == nil
        self.words = words
    }

    /// Notes when the page of each screen last drew, and since when the house has been open. It is called once a second.
    func watch(_ pages: [StatusReport.Page], isOpen: Bool, at now: Int64) {
        openSince = isOpen ? openSince ?? now : nil
        for page in pages {
            guard let screen = page.screen else { continue }
            drewAt[screen] = max(drewAt[screen] ?? .min, now - Int64(page.secondsSinceFrame * 1e9))
        }
    }

    /// Returns whether a page that says `word` is the one that the kiosk has put on `screen`.
    func knows(_ screen: String, by word: String?) -> Bool { word != nil && words[screen] == word }

    /// Returns the kiosk's last report and its age; nil where there is no kiosk.
    func status(at now: Int64) -> StatusReport.Kiosk? {
        last.map { StatusReport.Kiosk(report: $0.report, secondsSinceReport: Double(now - $0.at) / 1e9) }
    }

    /// Returns in words that the kiosk has gone without a word, else which screens are dark in an open house.
    func issues(at now: Int64) -> [String] {
        if let status = status(at: now), status.secondsSinceReport > Self.patience {
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
