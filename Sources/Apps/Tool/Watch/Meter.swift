import Wire

/// A level meter: the level, and the highest recent peak.
struct Meter {
    /// What its bars show, in dBFS.
    private static let range = -60.0...0.0
    /// How long a peak stays marked.
    private static let hold = Duration.seconds(2)

    private(set) var level = MeterReport(peak: -120, rms: -120)
    private(set) var held = -120.0
    private var heldSince: ContinuousClock.Instant?

    mutating func take(_ report: MeterReport, at now: ContinuousClock.Instant) {
        level = report
        if let heldSince, report.peak < held, heldSince.duration(to: now) < Self.hold { return }
        held = report.peak
        heldSince = now
    }

    func peakBar(columns: Int) -> String {
        var cells = Self.cells(level.peak, columns)
        let mark = Self.count(held, columns)
        if mark > Self.count(level.peak, columns) { cells[mark - 1] = "│" }
        return cells.joined()
    }

    func rmsBar(columns: Int) -> String { Self.cells(level.rms, columns).joined() }

    private static func cells(_ level: Double, _ columns: Int) -> [String] {
        let full = count(level, columns)
        return (0..<columns).map { $0 < full ? "█" : "░" }
    }

    /// Of so many columns, those that `level` fills.
    private static func count(_ level: Double, _ columns: Int) -> Int {
        let inside = min(range.upperBound, max(range.lowerBound, level))
        let part = (inside - range.lowerBound) / (range.upperBound - range.lowerBound)
        return Int((part * Double(columns)).rounded())
    }
}
