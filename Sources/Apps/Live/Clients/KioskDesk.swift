import Wire

/// What the machine's kiosk told last, and whether it still tells. A plain value: the caller gives the time (CLOCK_MONOTONIC, nanoseconds).
struct KioskDesk {
    /// A kiosk reports once a second.
    private static let patience = 10.0

    private var last: (report: KioskReport, at: Int64)?
    /// What the page of each screen is known by. Nobody is told.
    private var words: [String: String] = [:]

    /// `report` is nil from a kiosk that ends.
    mutating func told(_ report: KioskReport?, words: [String: String] = [:], at now: Int64) {
        last = report.map { ($0, now) }
        self.words = words
    }

    /// Whether a page that says `word` is the one that the kiosk has put on `screen`.
    func knows(_ screen: String, by word: String?) -> Bool { word != nil && words[screen] == word }

    /// Nil where there is no kiosk.
    func status(at now: Int64) -> StatusReport.Kiosk? {
        last.map { StatusReport.Kiosk(report: $0.report, secondsSinceReport: Double(now - $0.at) / 1e9) }
    }

    /// A kiosk that has gone without a word, in words.
    func issue(at now: Int64) -> String? {
        guard let status = status(at: now), status.secondsSinceReport > Self.patience else { return nil }
        return "the kiosk is gone: it has told nothing for \(Int(status.secondsSinceReport)) s"
    }
}
