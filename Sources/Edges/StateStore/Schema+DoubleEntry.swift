import GRDB

extension Schema {
    /// The third step: entries get postings, which sum to zero, and those of actions what these were answered. Entries of before had an
    /// amount in the body. It becomes two postings, from `elsewhere` to `household`, in a currency of the entry's kind, because amounts of
    /// different kinds were of different units.
    static func doubleEntry(_ db: Database) throws {
        try db.execute(sql: """
            CREATE TABLE posting (
                entry INTEGER NOT NULL REFERENCES ledger (number) DEFERRABLE INITIALLY DEFERRED,
                place INTEGER NOT NULL,
                account TEXT NOT NULL, currency TEXT NOT NULL, amount INTEGER NOT NULL,
                PRIMARY KEY (entry, place)
            ) WITHOUT ROWID, STRICT;
            ALTER TABLE ledger ADD COLUMN answer TEXT CHECK (answer IS NULL OR json_valid(answer));
            ALTER TABLE ledger ADD COLUMN claim TEXT;
            CREATE UNIQUE INDEX ledger_claim ON ledger (claim) WHERE claim IS NOT NULL;
            """)
        try convertAmounts(db)
        // An entry is inserted after its postings, and seals them.
        try db.execute(sql: """
            CREATE TRIGGER posting_stays BEFORE UPDATE ON posting BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
            CREATE TRIGGER posting_keeps BEFORE DELETE ON posting BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
            CREATE TRIGGER posting_precedes BEFORE INSERT ON posting
                WHEN EXISTS (SELECT 1 FROM ledger WHERE number = new.entry)
                BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: an entry gets no more postings'); END;
            CREATE TRIGGER ledger_follows BEFORE INSERT ON ledger
                WHEN EXISTS (SELECT 1 FROM ledger WHERE number = new.number)
                    OR EXISTS (SELECT 1 FROM ledger WHERE piece = new.piece AND household = new.household AND key = new.key)
                    OR EXISTS (SELECT 1 FROM ledger WHERE claim = new.claim)
                BEGIN SELECT RAISE(ABORT, 'the ledger is append-only: the entry is there already'); END;
            CREATE TRIGGER ledger_balances AFTER INSERT ON ledger
                WHEN EXISTS (SELECT 1 FROM posting WHERE entry = new.number GROUP BY currency HAVING sum(amount) != 0)
                BEGIN SELECT RAISE(ABORT, 'the postings of an entry sum to zero in each currency'); END;
            """)
    }

    private static func convertAmounts(_ db: Database) throws {
        try db.execute(sql: """
            DROP TRIGGER ledger_stays;
            DROP TRIGGER ledger_keeps;
            CREATE TEMPORARY TABLE amount AS SELECT number, kind, body ->> '$.amount' AS amount FROM ledger
                WHERE json_type(body) = 'object' AND json_type(body, '$.amount') = 'integer';
            INSERT INTO posting SELECT number, 0, 'elsewhere', kind, -amount FROM amount WHERE amount != 0;
            INSERT INTO posting SELECT number, 1, 'household', kind, amount FROM amount WHERE amount != 0;
            UPDATE ledger SET body = coalesce(body -> '$.note', 'null') WHERE number IN (SELECT number FROM amount);
            """)
        var last: Int64 = 0
        while let row = try Row.fetchOne(db, sql: "SELECT * FROM ledger WHERE number > ? ORDER BY number LIMIT 1", arguments: [last]) {
            last = row["number"]
            let sum = try LedgerRow(row, in: db).sum(created: row["created"])
            try db.execute(sql: "UPDATE ledger SET sum = ? WHERE number = ?", arguments: [sum, last])
        }
        try db.execute(sql: """
            DROP TABLE amount;
            CREATE TRIGGER ledger_stays BEFORE UPDATE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
            CREATE TRIGGER ledger_keeps BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END;
            """)
    }
}
