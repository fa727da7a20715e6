/// The tables of the fleet in the schema `thrum`, and the migrations that make them.
enum Schema {
    /// The number of the advisory lock. A program that changes tables or writes rows holds it until the end of the transaction, because
    /// several hubs may run.
    static let lock = 7_244_862_041

    /// The migrations, in order. A released migration is never changed; a new one is added at the end.
    static let migrations = [
        """
        CREATE TABLE thrum.station (
            station text PRIMARY KEY,
            alive boolean NOT NULL,
            bd_seq bigint NOT NULL,
            version text NOT NULL,
            since timestamptz NOT NULL DEFAULT now()
        );
        CREATE TABLE thrum.journal (
            station text NOT NULL,
            journal text NOT NULL,
            line bigint NOT NULL,
            PRIMARY KEY (station, journal)
        );
        CREATE TABLE thrum.event (
            station text NOT NULL,
            journal text NOT NULL,
            line bigint NOT NULL,
            day date NOT NULL,
            at timestamptz NOT NULL,
            frame bigint NOT NULL,
            event text NOT NULL,
            fields jsonb NOT NULL,
            PRIMARY KEY (station, journal, line, day)
        ) PARTITION BY RANGE (day);
        CREATE INDEX event_by_name ON thrum.event (event, at);
        """,
        """
        ALTER TABLE thrum.station ADD COLUMN reported jsonb, ADD COLUMN reported_at timestamptz;
        CREATE TABLE thrum.alarm (
            station text NOT NULL,
            kind text NOT NULL,
            since timestamptz NOT NULL,
            until timestamptz,
            text text NOT NULL
        );
        CREATE UNIQUE INDEX alarm_open ON thrum.alarm (station, kind) WHERE until IS NULL;
        CREATE INDEX alarm_by_time ON thrum.alarm (since);
        """,
        """
        CREATE TABLE thrum.closing (
            closing text PRIMARY KEY,
            number bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
            station text NOT NULL,
            day text NOT NULL,
            text text NOT NULL,
            key text NOT NULL,
            signature text NOT NULL,
            arrived date NOT NULL
        );
        CREATE INDEX closing_by_station ON thrum.closing (station, number);
        CREATE INDEX closing_by_arrival ON thrum.closing (arrived, number);
        CREATE TABLE thrum.root (
            day date PRIMARY KEY,
            root text NOT NULL,
            closings int NOT NULL,
            made timestamptz NOT NULL DEFAULT now(),
            said boolean NOT NULL DEFAULT false
        );
        """,
    ]
}

extension DatabaseConnection {
    /// Makes or updates the tables as this program needs them. Throws `DatabaseProblem`, also for the tables of a newer program, and for a
    /// database whose encoding is not UTF-8.
    public func migrate() throws(DatabaseProblem) {
        let encoding = (try run("SHOW server_encoding").first?.first ?? nil) ?? "none"
        guard encoding == "UTF8" else { throw DatabaseProblem("encoding: expected UTF8, found \(encoding)") }
        try transaction { () throws(DatabaseProblem) in
            try run("SELECT pg_advisory_xact_lock(\(Schema.lock))")
            try run("CREATE SCHEMA IF NOT EXISTS thrum")
            try run("CREATE TABLE IF NOT EXISTS thrum.migration (version int PRIMARY KEY, done timestamptz NOT NULL DEFAULT now())")
            let done = Int((try run("SELECT coalesce(max(version), 0) FROM thrum.migration").first?.first ?? nil) ?? "") ?? 0
            guard done <= Schema.migrations.count else {
                throw DatabaseProblem("the tables have version \(done), and this program knows \(Schema.migrations.count)")
            }
            for version in done..<Schema.migrations.count {
                for statement in Schema.migrations[version].split(separator: ";\n") { try run(String(statement)) }
                try run("INSERT INTO thrum.migration (version) VALUES ($1)", ["\(version + 1)"])
            }
        }
    }
}
