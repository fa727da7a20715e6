/// An alarm of one station that has begun, has other words now, or is over.
public struct StationAlarm: Equatable, Sendable {
    public enum Kind: String, CaseIterable, Sendable {
        /// The station is not there, or says nothing any more.
        case gone
        /// Its `thrumd` has an issue, or does not answer.
        case issue
        /// Its clock differs from the hub's.
        case clock
    }

    public let station: StationName
    public let kind: Kind
    /// What is wrong, for people; nil where nothing is.
    public let text: String?
    /// The time at which it began, or from which on nothing is wrong; since the same moment as the times that the watch is given.
    public let time: Duration
    /// Whether this ends an alarm that was told before. It is false where the watch says for the first time that nothing is wrong.
    public let isOver: Bool

    public init(station: StationName, kind: Kind, text: String?, time: Duration, isOver: Bool = false) {
        (self.station, self.kind, self.text, self.time, self.isOver) = (station, kind, text, time, isOver)
    }
}

/// A hub's watch over its stations: from their states and reports it finds which alarms begin and end. Times are since any fixed moment.
public struct FleetWatch: Sendable {
    /// The difference of clocks that is allowed, in microseconds.
    static let clockLimit = 2_000_000
    /// The time without a report after which a station counts as gone: it misses two. A broker that has died with its wills still takes
    /// such a station for alive.
    static let silence = Duration.seconds(150)

    private struct Watched {
        /// Whether the broker has it connected; nil while nothing is known.
        var isAlive: Bool?
        /// The time of the last birth or death.
        var changed = Duration.zero
        /// The time since which its silence counts: that of the last report, or of the present connection; nil before the first report.
        /// Of old reports only the first counts, whose age is unknown.
        var heard: Duration?
        /// Whether the station itself was heard over the present connection, and not only what the broker had kept of it.
        var isPresent = false
        /// The words of what is wrong, and since when; nil before the first report.
        var issues: (words: String?, since: Duration)?
        /// How far the station's clock was ahead at its last two reports, in microseconds. A message that was late on its way makes the
        /// clock look slow, so the larger of two counts.
        var leads: [Int] = []
        /// What was told last, by kind; a kind that is missing was not told of.
        var told: [StationAlarm.Kind: String?] = [:]
    }

    private let goneAfter: Duration
    /// The time since which the hub is connected to the broker.
    private var connected = Duration.zero
    private var stations: [StationName: Watched] = [:]

    /// `goneAfter` is the time after a station's death after which it is told of.
    public init(goneAfter: Duration) { self.goneAfter = goneAfter }

    /// Takes a state that counts. `isOld` says that the broker had kept it: then the station may have died with a former broker.
    public mutating func take(_ state: StationState, of station: StationName, isOld: Bool, at now: Duration) {
        var watched = stations[station, default: Watched()]
        if watched.isAlive != state.isAlive { watched.changed = now }
        watched.isAlive = state.isAlive
        // A station that has come again is heard anew, with a clock that may have been set since.
        (watched.heard, watched.leads, watched.isPresent) = (nil, [], !isOld)
        stations[station] = watched
    }

    /// Takes a report. `isOld` says that the broker had kept it, so that its age is unknown. `clock` is the hub's own, in microseconds
    /// since 1970-01-01 in UTC.
    public mutating func take(_ report: StationReport, of station: StationName, isOld: Bool, at now: Duration, clock: Int) {
        var watched = stations[station, default: Watched()]
        let words = report.issues.isEmpty ? nil : report.issues.joined(separator: "; ")
        // Other words go on with the same alarm.
        let since = watched.issues.flatMap { ($0.words == nil) == (words == nil) ? $0.since : nil }
        watched.issues = (words, since ?? now)
        if !isOld || watched.heard == nil { watched.heard = now }
        if !isOld {
            watched.isPresent = true
            watched.leads = watched.leads.suffix(1) + [report.instant - clock]
        }
        stations[station] = watched
    }

    /// Has each station's silence and absence count from now on: there is a new connection to the broker, and over none nobody was heard.
    /// Clocks are compared anew, because reports may have waited.
    public mutating func reconnect(at now: Duration) {
        connected = now
        for (station, former) in stations {
            var watched = former
            if watched.heard != nil { watched.heard = now }
            (watched.leads, watched.isPresent) = ([], false)
            stations[station] = watched
        }
    }

    /// Returns what has changed since the last call, ordered by station.
    public mutating func alarms(at now: Duration) -> [StationAlarm] {
        var alarms: [StationAlarm] = []
        for station in stations.keys.sorted() {
            guard var watched = stations[station] else { continue }
            for kind in StationAlarm.Kind.allCases {
                guard let (text, time) = finding(kind, watched, at: now) else { continue }
                let former = watched.told.updateValue(text, forKey: kind)
                guard former != .some(text) else { continue }
                alarms.append(StationAlarm(station: station, kind: kind, text: text, time: time, isOver: text == nil && former != nil))
            }
            stations[station] = watched
        }
        return alarms
    }

    /// Returns what there is to say of one kind, and since when; nil where that is not known now.
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
            guard watched.leads.count == 2, let lead = watched.leads.max() else { return nil }
            guard abs(lead) > Self.clockLimit else { return (nil, now) }
            return ("\((abs(lead) + 500_000) / 1_000_000) s \(lead > 0 ? "ahead" : "behind")", now)
        }
    }
}
