import Calendar
import Fields
import Fleet
import JSON

/// Writes to the tables about what happened at all stations. A hub uses it.
public struct EventTable {
    private let database: DatabaseConnection

    /// A batch of rows, and the station that has sent it.
    public struct Arrival: Sendable {
        public let station: StationName
        public let batch: RowBatch

        public init(_ batch: RowBatch, of station: StationName) { (self.station, self.batch) = (station, batch) }
    }

    /// Identifies a journal of a station.
    private struct Key: Hashable {
        let station: StationName
        let journal: String
    }

    /// Prepares the connection for writing. Throws `DatabaseProblem`.
    public init(_ database: DatabaseConnection) throws(DatabaseProblem) {
        self.database = database
        try database.run("""
            CREATE TEMPORARY TABLE staging (
                station text, journal text, line bigint, day date, at bigint, frame bigint, event text, fields jsonb
            ) ON COMMIT DELETE ROWS
            """)
    }

    /// Writes batches, and the new last line of each journal, in one transaction. Returns the answer to each batch, when the transaction is
    /// committed. Throws `DatabaseProblem`; then it is possible that nothing was written, and the same batches may be written again.
    public func write(_ arrivals: [Arrival]) throws(DatabaseProblem) -> [Committed] {
        try database.transaction { () throws(DatabaseProblem) in
            try database.run("SELECT pg_advisory_xact_lock(\(Schema.lock))")
            var journals = try known(arrivals)
            var (rows, days): ([[String?]], Set<String>) = ([], [])
            for arrival in arrivals {
                for part in arrival.batch.parts {
                    let key = Key(station: arrival.station, journal: part.journal)
                    for row in journals[key, default: CommittedJournal()].take(part) {
                        let day = CivilTime(instant: Double(row.instant / 1_000_000), utcOffset: 0).date
                        days.insert(day)
                        rows.append([key.station.text, key.journal, "\(row.line)", day, "\(row.instant)", "\(row.frame)", row.event,
                                     Self.json(row.fields)])
                    }
                }
            }
            try insert(rows, days)
            try keep(journals)
            return arrivals.map { arrival in
                let lines = arrival.batch.parts.map { part in
                    (part.journal, journals[Key(station: arrival.station, journal: part.journal)]?.line ?? 0)
                }
                return Committed(connection: arrival.batch.connection, number: arrival.batch.number,
                                 lines: Dictionary(lines, uniquingKeysWith: { first, _ in first }))
            }
        }
    }

    private func insert(_ rows: [[String?]], _ days: Set<String>) throws(DatabaseProblem) {
        guard !rows.isEmpty else { return }
        for day in days.sorted() {
            let name = "event_" + day.replacing("-", with: "")
            try database.run("""
                CREATE TABLE IF NOT EXISTS thrum.\(name) PARTITION OF thrum.event
                FOR VALUES FROM ('\(day)') TO ('\(day)'::date + 1)
                """)
        }
        try database.copy(rows, into: "staging (station, journal, line, day, at, frame, event, fields)")
        try database.run("""
            INSERT INTO thrum.event (station, journal, line, day, at, frame, event, fields)
            SELECT station, journal, line, day, 'epoch'::timestamptz + at * interval '1 microsecond', frame, event, fields FROM staging
            ON CONFLICT DO NOTHING
            """)
    }

    /// Reads the last written line of each journal of these batches.
    private func known(_ arrivals: [Arrival]) throws(DatabaseProblem) -> [Key: CommittedJournal] {
        let keys = Set(arrivals.flatMap { arrival in arrival.batch.parts.map { Key(station: arrival.station, journal: $0.journal) } })
        let wanted = Self.json(keys.map { ["station": JSONValue.text($0.station.text), "journal": .text($0.journal)] })
        let found = try database.run("""
            SELECT station, journal, line FROM thrum.journal
            JOIN jsonb_to_recordset($1::jsonb) AS wanted (station text, journal text) USING (station, journal)
            """, [wanted])
        var journals = Dictionary(keys.map { ($0, CommittedJournal()) }, uniquingKeysWith: { first, _ in first })
        for row in found {
            guard let station = row[0].flatMap({ StationName($0) }), let journal = row[1], let line = row[2].flatMap({ Int($0) }) else {
                continue
            }
            journals[Key(station: station, journal: journal)] = CommittedJournal(line: line)
        }
        return journals
    }

    private func keep(_ journals: [Key: CommittedJournal]) throws(DatabaseProblem) {
        let lines = journals.filter { $0.value.line > 0 }.map { key, journal in
            ["station": JSONValue.text(key.station.text), "journal": .text(key.journal), "line": .integer(Int64(journal.line))]
        }
        try database.run("""
            INSERT INTO thrum.journal (station, journal, line)
            SELECT station, journal, line FROM jsonb_to_recordset($1::jsonb) AS new (station text, journal text, line bigint)
            ON CONFLICT (station, journal) DO UPDATE SET line = excluded.line
            """, [Self.json(lines)])
    }

    private static func json(_ value: some Encodable) -> String {
        guard let bytes = try? JSONWriter.bytes(of: value) else { preconditionFailure("rows have finite numbers only") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
