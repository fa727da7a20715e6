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

    /// A closing that was not in the table before.
    public struct New: Sendable {
        public let closing: Closing
        /// The key of the station's closing before it; nil for its first.
        public let formerKey: String?
        /// The day in UTC to whose root it belongs.
        public let arrived: String
        /// Whether that day is still to come, because the table has a root of today or of a day to come.
        public let isAhead: Bool

        public init(closing: Closing, formerKey: String?, arrived: String, isAhead: Bool) {
            (self.closing, self.formerKey, self.arrived, self.isAhead) = (closing, formerKey, arrived, isAhead)
        }
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

    /// A day in UTC as the tables have it.
    public struct Day: Sendable {
        public let day: String
        /// The closings that arrived on it, in the order in which they did.
        public let closings: [Row]
        /// The day's root; nil where there is none.
        public let root: Root?
        /// The last root of an earlier day; nil where there is none.
        public let former: Root?

        public init(day: String, closings: [Row], root: Root?, former: Root?) {
            (self.day, self.closings, self.root, self.former) = (day, closings, root, former)
        }
    }

    /// Writes closings in one transaction, and returns those that were not there; the others stay as they are. Throws `DatabaseProblem`.
    public func write(_ arrivals: [Arrival]) throws(DatabaseProblem) -> [New] {
        try database.transaction { () throws(DatabaseProblem) in
            try database.run("SELECT pg_advisory_xact_lock(\(Schema.lock))")
            var written: [New] = []
            for arrival in arrivals {
                let (closing, signature) = (arrival.signed.closing, arrival.signed.signature)
                let former = try database.run("SELECT key FROM thrum.closing WHERE station = $1 ORDER BY number DESC LIMIT 1",
                                              [closing.station.text]).first
                // The lock is held, so no root of that day is made meanwhile. Where the clock was set back, there may be one already.
                let row = try database.run("""
                    INSERT INTO thrum.closing (closing, station, day, text, key, signature, arrived)
                    SELECT $1, $2, $3, $4, $5, $6,
                        greatest((clock_timestamp() AT TIME ZONE 'UTC')::date, (SELECT max(day) + 1 FROM thrum.root))
                    ON CONFLICT DO NOTHING
                    RETURNING arrived, arrived > (clock_timestamp() AT TIME ZONE 'UTC')::date
                    """, [arrival.digest, closing.station.text, closing.day, closing.text, closing.key, signature]).first
                guard let row else { continue }
                written.append(New(closing: closing, formerKey: former.flatMap { $0[0] }, arrived: row[0] ?? "", isAhead: row[1] == "t"))
            }
            return written
        }
    }

    /// Makes the roots of all days that are over and have none. `root` gets a day whose root is nil, and returns its root in hexadecimal
    /// digits. Throws `DatabaseProblem`.
    public func makeRoots(_ root: (Day) -> String) throws(DatabaseProblem) {
        try database.transaction { () throws(DatabaseProblem) in
            try database.run("SELECT pg_advisory_xact_lock(\(Schema.lock))")
            let days = try database.run("""
                SELECT DISTINCT arrived FROM thrum.closing
                WHERE arrived < (clock_timestamp() AT TIME ZONE 'UTC')::date AND arrived NOT IN (SELECT day FROM thrum.root)
                ORDER BY arrived
                """)
            for name in days.compactMap({ $0.first ?? nil }) {
                let day = try day(name)
                try database.run("INSERT INTO thrum.root (day, root, closings) VALUES ($1, $2, $3)",
                                 [name, root(day), "\(day.closings.count)"])
            }
        }
    }

    /// Reads the roots that no hub has said, in the order of their days. Throws `DatabaseProblem`.
    public func unsaidRoots() throws(DatabaseProblem) -> [Root] { try roots("NOT said ORDER BY day", []) }

    /// Records that the root of a day was said. Throws `DatabaseProblem`.
    public func markSaid(_ day: String) throws(DatabaseProblem) {
        try database.run("UPDATE thrum.root SET said = true WHERE day = $1::date", [day])
    }

    /// Reads the closings of a station's day, in the order in which they arrived. Throws `DatabaseProblem`.
    public func closings(of station: StationName, on day: String) throws(DatabaseProblem) -> [Row] {
        try rows("station = $1 AND day = $2", [station.text, day])
    }

    /// Reads the key of a station's first closing; nil where there is none. Throws `DatabaseProblem`.
    public func firstKey(of station: StationName) throws(DatabaseProblem) -> String? {
        let row = try database.run("SELECT key FROM thrum.closing WHERE station = $1 ORDER BY number LIMIT 1", [station.text]).first
        return row.flatMap { $0[0] }
    }

    /// Reads the days from `first` to `last` that have a closing or a root, in order. Throws `DatabaseProblem`.
    public func days(from first: String, through last: String) throws(DatabaseProblem) -> [Day] {
        let names = try database.run("""
            SELECT arrived FROM thrum.closing WHERE arrived BETWEEN $1::date AND $2::date
            UNION SELECT day FROM thrum.root WHERE day BETWEEN $1::date AND $2::date ORDER BY 1
            """, [first, last])
        var days: [Day] = []
        for name in names.compactMap({ $0.first ?? nil }) { days.append(try day(name)) }
        return days
    }

    private func day(_ name: String) throws(DatabaseProblem) -> Day {
        Day(day: name, closings: try rows("arrived = $1::date", [name]), root: try roots("day = $1::date", [name]).first,
            former: try roots("day < $1::date ORDER BY day DESC LIMIT 1", [name]).first)
    }

    private func rows(_ condition: String, _ values: [String?]) throws(DatabaseProblem) -> [Row] {
        let statement = "SELECT closing, text, key, signature, arrived FROM thrum.closing WHERE \(condition) ORDER BY number"
        return try database.run(statement, values).map {
            Row(digest: $0[0] ?? "", text: $0[1] ?? "", key: $0[2] ?? "", signature: $0[3] ?? "", arrived: $0[4] ?? "")
        }
    }

    private func roots(_ condition: String, _ values: [String?]) throws(DatabaseProblem) -> [Root] {
        try database.run("SELECT day, root, closings FROM thrum.root WHERE \(condition)", values).map {
            Root(day: $0[0] ?? "", root: $0[1] ?? "", closings: $0[2].flatMap { Int($0) } ?? 0)
        }
    }
}
