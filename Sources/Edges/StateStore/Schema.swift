import GRDB

/// The tables of the database.
enum Schema {
    /// Makes the tables in an empty database. A later version of Thrum may add a migration, but never changes a released one.
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("tables") { db in
            for tables in [memory, ledger, house, documents] { try db.execute(sql: tables) }
        }
        migrator.registerMigration("volume") { try $0.execute(sql: volume) }
        return migrator
    }()

    // Types and bodies have constraints, so that SQLite's check of a damaged file finds more damage. `sum` is a `RowSum`.

    /// The tables about households. `hash` is a slow, salted hash of a secret, as text, from which the secret cannot be found.
    private static let memory = """
        CREATE TABLE memory (
            piece TEXT NOT NULL, household TEXT NOT NULL,
            body TEXT NOT NULL CHECK (json_valid(body)),
            updated INTEGER NOT NULL, sum INTEGER NOT NULL,
            PRIMARY KEY (piece, household)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE memory_aside (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            piece TEXT NOT NULL, household TEXT NOT NULL,
            body TEXT NOT NULL, reason TEXT NOT NULL,
            since INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE household_secret (
            piece TEXT NOT NULL, household TEXT NOT NULL,
            hash TEXT NOT NULL,
            updated INTEGER NOT NULL,
            PRIMARY KEY (piece, household)
        ) WITHOUT ROWID, STRICT;
        """

    /// The tables of the ledger, to which entries are only added. An entry is inserted after its postings, and a trigger then checks that
    /// they sum to zero in each currency. Keys of claims and keys of households are compared separately.
    private static let ledger = """
        CREATE TABLE ledger (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            piece TEXT NOT NULL, household TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL,
            body TEXT NOT NULL CHECK (json_valid(body)),
            created INTEGER NOT NULL, sum INTEGER NOT NULL,
            answer TEXT CHECK (answer IS NULL OR json_valid(answer)), claim TEXT
        ) STRICT;
        CREATE TABLE posting (
            entry INTEGER NOT NULL REFERENCES ledger (number) DEFERRABLE INITIALLY DEFERRED,
            place INTEGER NOT NULL,
            account TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL,
            PRIMARY KEY (entry, place)
        ) WITHOUT ROWID, STRICT;
        CREATE UNIQUE INDEX ledger_key ON ledger (piece, household, key) WHERE claim IS NULL;
        CREATE UNIQUE INDEX ledger_claim ON ledger (claim) WHERE claim IS NOT NULL;
        CREATE INDEX ledger_household ON ledger (piece, household, number);
        CREATE TRIGGER ledger_stays BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
        CREATE TRIGGER ledger_keeps BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
        CREATE TRIGGER posting_stays BEFORE UPDATE ON posting BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
        CREATE TRIGGER posting_keeps BEFORE DELETE ON posting BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
        CREATE TRIGGER posting_precedes BEFORE INSERT ON posting
            WHEN EXISTS (SELECT 1 FROM ledger WHERE number = new.entry)
            BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: an entry gets no more postings'); END;
        CREATE TRIGGER ledger_follows BEFORE INSERT ON ledger
            WHEN EXISTS (SELECT 1 FROM ledger WHERE number = new.number)
                OR (new.claim IS NULL AND EXISTS (SELECT 1 FROM ledger
                    WHERE piece = new.piece AND household = new.household AND key = new.key AND claim IS NULL))
                OR EXISTS (SELECT 1 FROM ledger WHERE claim = new.claim)
            BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: the entry is there already'); END;
        CREATE TRIGGER ledger_balances AFTER INSERT ON ledger
            WHEN EXISTS (SELECT 1 FROM posting WHERE entry = new.number GROUP BY currency HAVING sum(amount) != 0)
            BEGIN SELECT RAISE(ABORT, 'the postings of an entry sum to zero in each currency'); END;
        """

    /// The tables of the preset chosen by hand, the day's dose of sound, tokens, how far outboxes have been sent, and the number of
    /// commits.
    private static let house = """
        CREATE TABLE choice (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            preset TEXT NOT NULL, since INTEGER,
            updated INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE hearing_day (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            number INTEGER NOT NULL, dose REAL NOT NULL CHECK (dose >= 0),
            updated INTEGER NOT NULL
        ) STRICT;
        CREATE TABLE cursor (name TEXT PRIMARY KEY, position TEXT NOT NULL, updated INTEGER NOT NULL) WITHOUT ROWID, STRICT;
        CREATE TABLE token (
            name TEXT PRIMARY KEY,
            role TEXT NOT NULL,
            digest TEXT NOT NULL CHECK (length(digest) = 64),
            created INTEGER NOT NULL
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE commits (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            number INTEGER NOT NULL, at INTEGER NOT NULL
        ) STRICT;
        INSERT INTO commits VALUES (1, 0, 0);
        """

    /// The table of the volume that somebody set by hand, in dB.
    private static let volume = """
        CREATE TABLE volume (
            one INTEGER PRIMARY KEY CHECK (one = 1),
            level REAL NOT NULL CHECK (level < 0),
            who TEXT NOT NULL, since INTEGER,
            updated INTEGER NOT NULL
        ) STRICT;
        """

    /// The tables of documents, and of the steps that people take with them. Triggers enforce what the program checks, too: two people must
    /// publish a version, and names that differ only in case are the same person's. Only a draft, which was never published, may give its
    /// number to a version that was published elsewhere.
    private static let documents = """
        CREATE TABLE document (
            piece TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL CHECK (version > 0),
            former INTEGER NOT NULL CHECK (former >= 0 AND former < version),
            body TEXT NOT NULL CHECK (json_valid(body)),
            sum INTEGER NOT NULL,
            PRIMARY KEY (piece, kind, version)
        ) WITHOUT ROWID, STRICT;
        CREATE TABLE document_step (
            piece TEXT NOT NULL, kind TEXT NOT NULL, version INTEGER NOT NULL,
            step TEXT NOT NULL CHECK (step IN ('proposed', 'approved', 'published', 'withdrawn')),
            name TEXT NOT NULL, created INTEGER NOT NULL,
            sum INTEGER NOT NULL,
            PRIMARY KEY (piece, kind, version, step)
        ) WITHOUT ROWID, STRICT;
        CREATE TRIGGER document_stays BEFORE UPDATE ON document BEGIN SELECT RAISE(ABORT, 'documents never change'); END;
        CREATE TRIGGER document_step_stays BEFORE UPDATE ON document_step BEGIN SELECT RAISE(ABORT, 'steps never change'); END;
        CREATE TRIGGER document_keeps BEFORE DELETE ON document WHEN EXISTS (
            SELECT 1 FROM document_step AS step WHERE step.piece = OLD.piece AND step.kind = OLD.kind
            AND step.version = OLD.version AND step.step = 'published'
        ) BEGIN SELECT RAISE(ABORT, 'what was published is never removed'); END;
        CREATE TRIGGER document_step_keeps BEFORE DELETE ON document_step WHEN EXISTS (
            SELECT 1 FROM document WHERE document.piece = OLD.piece AND document.kind = OLD.kind
            AND document.version = OLD.version
        ) BEGIN SELECT RAISE(ABORT, 'a document keeps its steps'); END;
        CREATE TRIGGER document_step_by_two BEFORE INSERT ON document_step
        WHEN NEW.step = 'approved' AND NOT EXISTS (
            SELECT 1 FROM document_step AS other WHERE other.piece = NEW.piece AND other.kind = NEW.kind
            AND other.version = NEW.version AND other.step = 'proposed' AND other.name != NEW.name COLLATE NOCASE
        ) BEGIN SELECT RAISE(ABORT, 'nobody approves what they have proposed'); END;
        CREATE TRIGGER document_step_in_order BEFORE INSERT ON document_step
        WHEN NEW.step = 'published' AND NOT EXISTS (
            SELECT 1 FROM document_step AS other WHERE other.piece = NEW.piece AND other.kind = NEW.kind
            AND other.version = NEW.version AND other.step = 'approved'
        ) BEGIN SELECT RAISE(ABORT, 'nothing is published that nobody has approved'); END;
        """
}
