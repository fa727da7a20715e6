import Fleet

/// The tables of what stations have signed, and of the roots that stand for it, one for each day on which something arrived. A root is
/// never changed: what arrives later belongs to a later one.
public struct ClosingTable {
    private let database: DatabaseConnection

    public init(_ database: DatabaseConnection) { self.database = database }

    /// A closing whose signature was verified, with the SHA-256 of its text in hexadecimal digits.
    public struct Arrival: Sendable {
        public let signed: SignedClosing
        public let digest: String

        public init(_ signed: SignedClosing, digest: String) { (self.signed, self.digest) = (signed, digest) }
    }

    /// A closing as the table has it. Nothing of it was checked since it was read.
    public struct Row: Equatable, Sendable {
        /// The SHA-256 of the text when it arrived, in hexadecimal digits.
        public let digest: String
        public let text: String
        public let key: String
        public let signature: String
        /// The day, in UTC, on which the closing arrived, and to whose root it belongs.
        public let arrived: String

        public init(digest: String, text: String, key: String, signature: String, arrived: String) {
            (self.digest, self.text, self.key, self.signature, self.arrived) = (digest, text, key, signature, arrived)
        }
    }

    public struct Root: Equatable, Sendable {
        public let day: String
        /// The root in hexadecimal digits.
        public let root: String
        public let closings: Int

        public init(day: String, root: String, closings: Int) { (self.day, self.root, self.closings) = (day, root, closings) }
    }

    /// Writes closings in one transaction; those that are there already stay as they are. Throws `DatabaseProblem`.
    public func write(_ arrivals: [Arrival]) throws(DatabaseProblem) {
        try database.transaction { () throws(DatabaseProblem) in
            try database.run("SELECT pg_advisory_xact_lock(\(Schema.lock))")
            for arrival in arrivals {
                let (signed, closing) = (arrival.signed, arrival.signed.closing)
                // The lock is held, so no root of that day is made meanwhile. Where the clock was set back, there may be one already.
                try database.run("""
                    INSERT INTO thrum.closing (closing, station, day, text, key, signature, arrived)
                    SELECT $1, $2, $3, $4, $5, $6,
                        greatest((clock_timestamp() AT TIME ZONE 'UTC')::date, (SELECT max(day) + 1 FROM thrum.root))
                    ON CONFLICT DO NOTHING
                    """, [arrival.digest, closing.station.text, closing.day, closing.text, signed.key, signed.signature])
            }
        }
    }

    /// Makes the roots of all days that are over and have none, and returns them. `root` gets the texts of a day's closings in the order of
    /// their digests, and returns the root in hexadecimal digits. Throws `DatabaseProblem`.
    public func makeRoots(_ root: ([String]) -> String) throws(DatabaseProblem) -> [Root] {
        try database.transaction { () throws(DatabaseProblem) in
            try database.run("SELECT pg_advisory_xact_lock(\(Schema.lock))")
            let days = try database.run("""
                SELECT DISTINCT arrived FROM thrum.closing
                WHERE arrived < (clock_timestamp() AT TIME ZONE 'UTC')::date AND arrived NOT IN (SELECT day FROM thrum.root)
                ORDER BY arrived
                """)
            var made: [Root] = []
            for day in days.compactMap({ $0.first ?? nil }) {
                let texts = try closings(arrived: day).map(\.text)
                let new = Root(day: day, root: root(texts), closings: texts.count)
                try database.run("INSERT INTO thrum.root (day, root, closings) VALUES ($1, $2, $3)", [new.day, new.root, "\(new.closings)"])
                made.append(new)
            }
            return made
        }
    }

    /// Reads the closings of a station's day, those that arrived first at the beginning. Throws `DatabaseProblem`.
    public func closings(of station: StationName, on day: String) throws(DatabaseProblem) -> [Row] {
        try rows("station = $1 AND day = $2 ORDER BY arrived, closing COLLATE \"C\"", [station.text, day])
    }

    /// Reads the closings that arrived on a day, in the order in which their root is made. Throws `DatabaseProblem`.
    public func closings(arrived day: String) throws(DatabaseProblem) -> [Row] {
        try rows("arrived = $1::date ORDER BY closing COLLATE \"C\"", [day])
    }

    /// Reads the root of a day in UTC; nil where it is not made yet. Throws `DatabaseProblem`.
    public func root(of day: String) throws(DatabaseProblem) -> Root? {
        let row = try database.run("SELECT root, closings FROM thrum.root WHERE day = $1::date", [day]).first
        return row.map { Root(day: day, root: $0[0] ?? "", closings: $0[1].flatMap { Int($0) } ?? 0) }
    }

    private func rows(_ condition: String, _ values: [String?]) throws(DatabaseProblem) -> [Row] {
        try database.run("SELECT closing, text, key, signature, arrived FROM thrum.closing WHERE \(condition)", values).map {
            Row(digest: $0[0] ?? "", text: $0[1] ?? "", key: $0[2] ?? "", signature: $0[3] ?? "", arrived: $0[4] ?? "")
        }
    }
}
