import Fields
import Fleet

/// The tables of stations and of their alarms, as a hub writes them and people read them. A station never has two alarms of the same kind
/// that are not over.
public struct StationTable {
    private let database: DatabaseConnection

    public init(_ database: DatabaseConnection) { self.database = database }

    /// What the tables do not have yet.
    public struct News: Sendable {
        /// The last state of each station.
        public var states: [StationName: StationState] = [:]
        /// The last report of each station. A report that is `isOld`, which the broker had kept, is as old as it says by the station's
        /// clock.
        public var reports: [StationName: (report: StationReport, isOld: Bool)] = [:]
        /// The last alarm of each station and kind, to be written once more. Where another hub has written something newer, the tables stay
        /// as they are.
        public var formerAlarms: [StationAlarm] = []
        /// Alarms, the oldest first. Their times are durations since some moment; `now` of `write` is the duration since the same moment.
        public var alarms: [StationAlarm] = []

        public init() {}

        public var isEmpty: Bool { states.isEmpty && reports.isEmpty && formerAlarms.isEmpty && alarms.isEmpty }
    }

    /// Writes all of `news` in one transaction, at the time `now`. Throws `DatabaseProblem`: nothing may have happened, and the same may be
    /// written again.
    public func write(_ news: News, at now: Duration) throws(DatabaseProblem) {
        try database.transaction { () throws(DatabaseProblem) in
            try database.run("SELECT pg_advisory_xact_lock(\(Schema.lock))")
            for (station, state) in news.states { try write(state, of: station) }
            for (station, last) in news.reports { try write(last.report, isOld: last.isOld, of: station) }
            for alarm in news.formerAlarms { try write(alarm, isFormer: true, at: now) }
            for alarm in news.alarms { try write(alarm, isFormer: false, at: now) }
        }
    }

    private func write(_ state: StationState, of station: StationName) throws(DatabaseProblem) {
        try database.run("""
            INSERT INTO thrum.station (station, alive, bd_seq, version) VALUES ($1, $2, $3, $4)
            ON CONFLICT (station) DO UPDATE SET alive = excluded.alive, bd_seq = excluded.bd_seq, version = excluded.version,
                since = CASE WHEN station.alive = excluded.alive THEN station.since ELSE now() END
            """, [station.text, "\(state.isAlive)", "\(state.connection)", state.version])
    }

    /// Writes the last report of `station`, if the table has a row for that station.
    private func write(_ report: StationReport, isOld: Bool, of station: StationName) throws(DatabaseProblem) {
        let text = String(decoding: report.payload, as: UTF8.self)
        if isOld {
            try database.run("""
                UPDATE thrum.station SET reported = $2::jsonb, reported_at = 'epoch'::timestamptz + $3::bigint * interval '1 microsecond'
                WHERE station = $1 AND reported IS DISTINCT FROM $2::jsonb
                """, [station.text, text, "\(report.instant)"])
        } else {
            try database.run("UPDATE thrum.station SET reported = $2::jsonb, reported_at = now() WHERE station = $1", [station.text, text])
        }
    }

    /// Writes that an alarm has begun, got new words or ended. `now` is the present time, as a duration since the moment from which the
    /// alarm's time counts. If the alarm says that the station is gone, it began when the table says that the station went, where that was
    /// earlier. The end of a former alarm ends no alarm that began later, and its beginning begins none that has ended since.
    private func write(_ alarm: StationAlarm, isFormer: Bool, at now: Duration) throws(DatabaseProblem) {
        let (seconds, fraction) = max(now - alarm.time, .zero).components
        let milliseconds = "\(seconds * 1_000 + fraction / 1_000_000_000_000_000)"
        guard let text = alarm.text else {
            try database.run("""
                UPDATE thrum.alarm SET until = greatest(since, now() - $3::bigint * interval '1 millisecond')
                WHERE station = $1 AND kind = $2 AND until IS NULL
                    AND NOT ($4::boolean AND since > now() - $3::bigint * interval '1 millisecond')
                """, [alarm.station.text, alarm.kind.rawValue, milliseconds, "\(isFormer)"])
            return
        }
        try database.run("""
            INSERT INTO thrum.alarm (station, kind, since, text)
            SELECT $1, $2, least(now() - $3::bigint * interval '1 millisecond', gone.since), $4
            FROM (SELECT min(since) AS since FROM thrum.station WHERE station = $1 AND $2 = 'gone' AND NOT alive) AS gone
            WHERE NOT ($5::boolean AND EXISTS (
                SELECT FROM thrum.alarm
                WHERE station = $1 AND kind = $2 AND until > now() - $3::bigint * interval '1 millisecond'
            ))
            ON CONFLICT (station, kind) WHERE until IS NULL DO UPDATE SET text = excluded.text
            """, [alarm.station.text, alarm.kind.rawValue, milliseconds, text, "\(isFormer)"])
    }

    /// A station as the tables have it, with the alarms that are not over. Instants are texts in UTC, such as `2026-01-01T12:00:00Z`.
    public struct Station: Sendable {
        public struct Alarm: Sendable {
            public let kind: String
            public let since: String
            public let text: String
        }

        public let name: String
        public let isAlive: Bool
        /// The instant at which the station came, if it is there, and otherwise at which it went.
        public let since: String
        /// The version of the station's program.
        public let version: String
        /// The last report, as JSON; nil for a station that has not reported yet.
        public let reported: String?
        public let reportedAt: String?
        public fileprivate(set) var alarms: [Alarm] = []
    }

    /// Reads all stations, ordered by name. Throws `DatabaseProblem`.
    public func stations() throws(DatabaseProblem) -> [Station] {
        func utc(_ column: String) -> String { "to_char(\(column) AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')" }
        let rows = try database.run("""
            SELECT station, alive, \(utc("since")), version, reported, \(utc("reported_at")) FROM thrum.station ORDER BY station COLLATE "C"
            """)
        let alarms = try database.run("""
            SELECT station, kind, \(utc("since")), text FROM thrum.alarm WHERE until IS NULL ORDER BY alarm.since, kind
            """)
        return rows.map { row in
            let name = row[0] ?? ""
            var station = Station(name: name, isAlive: row[1] == "t", since: row[2] ?? "", version: row[3] ?? "", reported: row[4],
                                  reportedAt: row[5])
            station.alarms = alarms.filter { $0[0] == name }.map {
                Station.Alarm(kind: $0[1] ?? "", since: $0[2] ?? "", text: $0[3] ?? "")
            }
            return station
        }
    }
}
