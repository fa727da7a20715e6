import GRDB

extension Schema {
    /// Claims and households' own keys are name spaces of their own, and entries have an index by which a household's are found. SQLite
    /// makes another table for that (https://sqlite.org/lang_altertable.html, section 7).
    static func claims(_ db: Database) throws {
        try db.execute(sql: """
            DROP TRIGGER ledger_stays;
            DROP TRIGGER ledger_keeps;
            DROP TRIGGER ledger_follows;
            DROP TRIGGER ledger_balances;
            DROP TRIGGER posting_precedes;
            DROP INDEX ledger_claim;
            CREATE TABLE other_ledger (
                number INTEGER PRIMARY KEY AUTOINCREMENT,
                piece TEXT NOT NULL, household TEXT NOT NULL, key TEXT NOT NULL, kind TEXT NOT NULL,
                body TEXT NOT NULL CHECK (json_valid(body)),
                created INTEGER NOT NULL, sum INTEGER NOT NULL,
                answer TEXT CHECK (answer IS NULL OR json_valid(answer)), claim TEXT
            ) STRICT;
            INSERT INTO other_ledger
                SELECT number, piece, household, key, kind, body, created, sum, answer, claim FROM ledger ORDER BY number;
            DROP TABLE ledger;
            ALTER TABLE other_ledger RENAME TO ledger;
            CREATE UNIQUE INDEX ledger_key ON ledger (piece, household, key) WHERE claim IS NULL;
            CREATE UNIQUE INDEX ledger_claim ON ledger (claim) WHERE claim IS NOT NULL;
            CREATE INDEX ledger_household ON ledger (piece, household, number);
            CREATE TRIGGER ledger_stays BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
            CREATE TRIGGER ledger_keeps BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
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
            """)
    }
}
