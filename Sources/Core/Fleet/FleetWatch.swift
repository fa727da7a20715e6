/// Says that an alarm about one station has begun, has another text now, or is over.
public struct StationAlarm: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// The station is not connected, or sends no reports.
        case gone
        /// The station's `thrumd` reports an issue, or does not answer.
        case issue
        /// The station's clock differs from the hub's by more than `FleetWatch.clockLimit`.
        case clock
    }

    public let station: StationName
    public let kind: Kind
    /// What is wrong, in words for people; nil where nothing is wrong.
    public let text: String?
    /// When the alarm began, or since when nothing is wrong. It is counted from the same fixed moment as the times that `FleetWatch` is
    /// given.
    public let time: Duration
    /// Whether this ends an alarm that was reported before. It is false where the watch finds for the first time that nothing is wrong.
    public let isOver: Bool

    public init(station: StationName, kind: Kind, text: String?, time: Duration, isOver: Bool = false) {
        (self.station, self.kind, self.text, self.time, self.isOver) = (station, kind, text, time, isOver)
    }
}

/// Watches the stations of a hub: finds from their states and reports which alarms begin and end. Times are counted from any fixed moment.
public struct FleetWatch: Sendable {
    /// The largest difference between a station's clock and the hub's that is no alarm, in microseconds.
    static let clockLimit = 2_000_000
    /// The time without a report after which a station counts as gone, although the broker says that it is connected. (A broker that has
    /// lost the stations' wills in a crash does not notice when a station goes.) The station has then missed two reports.
    static let silence = Duration.seconds(150)

    private struct Watched {
        /// Whether the broker says that the station is connected; nil before its first state.
        var isAlive: Bool?
        /// When the station last connected or disconnected, counted from the watch's fixed moment.
        var changed = Duration.zero
        /// The time from which the station's silence counts: that of its last report, or of the hub's present connection to the broker; nil
        /// before the first report. Of reports that the broker had kept only the first counts, whose age is unknown.
        var heard: Duration?
        /// Whether the station itself was heard over the hub's present connection, and not only what the broker had kept of it.
        var isPresent = false
        /// What is wrong by the last report (nil for nothing), and since when something, or nothing, has been wrong; nil before the first
        /// report.
        var issues: (words: String?, since: Duration)?
        /// How far the station's clock was ahead of the hub's at its last two reports, in microseconds. A message that was late on its way
        /// makes the station's clock look slow, so the larger of the two counts.
        var clockDifferences: [Int] = []
        /// The text that `alarms` last returned for each kind (nil for nothing wrong). A kind is missing while `alarms` has returned
        /// nothing of it.
        var lastTexts: [StationAlarm.Kind: String?] = [:]
    }

    private let goneAfter: Duration
    /// The time since which the hub is connected to the broker.
    private var connected = Duration.zero
    private var stations: [StationName: Watched] = [:]

    /// Creates a watch without stations. `goneAfter` is how long a station may be disconnected before that is an alarm.
    public init(goneAfter: Duration) { self.goneAfter = goneAfter }

    /// Takes a state of a station, one that counts (`StationState.counts`). `isOld` says that the broker had kept the state; then the
    /// station may have died together with a former broker.
    public mutating func take(_ state: StationState, of station: StationName, isOld: Bool, at now: Duration) {
        var watched = stations[station, default: Watched()]
        if watched.isAlive != state.isAlive { watched.changed = now }
        watched.isAlive = state.isAlive
        // A station that has come again is heard anew, with a clock that may have been set since.
        (watched.heard, watched.clockDifferences, watched.isPresent) = (nil, [], !isOld)
        stations[station] = watched
    }

    /// Takes a report of a station. `isOld` says that the broker had kept the report, so that its age is unknown. `clock` is the time of
    /// the hub's clock, in microseconds since 1970-01-01 in UTC.
    public mutating func take(_ report: StationReport, of station: StationName, isOld: Bool, at now: Duration, clock: Int) {
        var watched = stations[station, default: Watched()]
        let words = report.issues.isEmpty ? nil : report.issues.joined(separator: "; ")
        // Other words go on with the same alarm.
        let since = watched.issues.flatMap { ($0.words == nil) == (words == nil) ? $0.since : nil }
        watched.issues = (words, since ?? now)
        if !isOld || watched.heard == nil { watched.heard = now }
        if !isOld {
            watched.isPresent = true
            watched.clockDifferences = watched.clockDifferences.suffix(1) + [report.instant - clock]
        }
        stations[station] = watched
    }

    /// Counts the silence and the absence of each station from `now` on, because the hub has a new connection to the broker, and could hear
    /// no station without one. Clocks are compared anew, because reports may have waited.
    public mutating func reconnect(at now: Duration) {
        connected = now
        for (station, former) in stations {
            var watched = former
            if watched.heard != nil { watched.heard = now }
            (watched.clockDifferences, watched.isPresent) = ([], false)
            stations[station] = watched
        }
    }

    /// Returns the alarms that have begun, changed their text or ended since the last call, ordered by station.
    public mutating func alarms(at now: Duration) -> [StationAlarm] {
        var alarms: [StationAlarm] = []
        for station in stations.keys.sorted() {
            guard var watched = stations[station] else { continue }
            for kind in StationAlarm.Kind.allCases {
                guard let (text, time) = finding(kind, watched, at: now) else { continue }
                let former = watched.lastTexts.updateValue(text, forKey: kind)
                guard former != .some(text) else { continue }
                alarms.append(StationAlarm(station: station, kind: kind, text: text, time: time, isOver: text == nil && former != nil))
            }
            stations[station] = watched
        }
        return alarms
    }

    /// Returns what is wrong by this kind of alarm, and since when; the text is nil where nothing is wrong. Returns nil where that is
    /// unknown now.
    private func finding(_ kind: StationAlarm.Kind, _ watched: Watched, at now: Duration) -> (text: String?, time: Duration)? {
        switch kind {
        case .gone:
            guard let isAlive = watched.isAlive else { return nil }
            guard isAlive else {
                // A broker that is stopped delivers its wills, and stations come again a while after it.
                return now - max(watched.changed, connected) > goneAfter ? ("not connected", watched.changed) : nil
            }
            let last = max(watched.changed, watched.heard ?? watched.changed)
            guard now - last > max(Self.silence, goneAfter) else {
                // What the broker had kept says neither that a station is gone nor that it is there, so an alarm stays as it is.
                return watched.isPresent ? (nil, last) : nil
            }
            return watched.heard.map { ("connected, and silent", $0) } ?? (nil, last)
        case .issue: return watched.issues.map { ($0.words, $0.since) }
        case .clock:
            guard watched.clockDifferences.count == 2, let difference = watched.clockDifferences.max() else { return nil }
            guard abs(difference) > Self.clockLimit else { return (nil, now) }
            return ("\((abs(difference) + 500_000) / 1_000_000) s \(difference > 0 ? "ahead" : "behind")", now)
        }
    }
}
