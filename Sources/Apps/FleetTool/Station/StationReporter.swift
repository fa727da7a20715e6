import Fleet
import Glibc

/// A station's reports: asks the `thrumd` beside it how it is, and says when there is something to publish.
struct StationReporter {
    private static let betweenAsks = Duration.seconds(10), betweenReports = Duration.seconds(60)

    private let link: DaemonLink?
    private var nextAsk = Duration.zero
    /// The last report that was published over the present connection, and when.
    private var last: (report: StationReport, at: Duration)?

    /// `link` leads to the `thrumd` that is asked; nil where none is asked.
    init(_ link: DaemonLink?) { self.link = link }

    /// Has the next report be made at once, and be published whatever it says, because there is a new connection to the broker.
    mutating func reconnect() { (nextAsk, last) = (.zero, nil) }

    /// Returns the report to publish now; nil where nothing has changed for less than a minute. Waits for `thrumd` for up to
    /// `DaemonLink.timeout`. `journals` and `rows` are what waits at the station; they are counted where a report is made.
    mutating func report(journals: @autoclosure () -> Int, rows: @autoclosure () -> Int, at now: Duration) -> StationReport? {
        guard now >= nextAsk else { return nil }
        nextAsk = now + Self.betweenAsks
        let daemon = link.map { $0.daemon } ?? .none
        let report = StationReport(instant: WallClock.microseconds, journals: journals(), rows: rows(), daemon: daemon)
        if let last, report.saysTheSame(as: last.report), now - last.at < Self.betweenReports { return nil }
        last = (report, now)
        return report
    }
}

/// This machine's clock.
enum WallClock {
    /// The microseconds since 1970-01-01 in UTC.
    static var microseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return time.tv_sec * 1_000_000 + time.tv_nsec / 1_000
    }
}
