import GRDB

extension Schema {
    /// The fifth step: documents, and the steps that people take with them. Both are only added. Triggers hold what the program holds, too:
    /// two people publish.
    static func documents(_ db: Database) throws {
        try db.execute(sql: """
            DROP TABLE configuration;
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
            CREATE TRIGGER document_keeps BEFORE DELETE ON document BEGIN SELECT RAISE(ABORT, 'documents never change'); END;
            CREATE TRIGGER document_step_stays BEFORE UPDATE ON document_step BEGIN SELECT RAISE(ABORT, 'steps never change'); END;
            CREATE TRIGGER document_step_keeps BEFORE DELETE ON document_step BEGIN SELECT RAISE(ABORT, 'steps never change'); END;
            CREATE TRIGGER document_step_by_two BEFORE INSERT ON document_step
            WHEN NEW.step = 'approved' AND NOT EXISTS (
                SELECT 1 FROM document_step AS other WHERE other.piece = NEW.piece AND other.kind = NEW.kind
                AND other.version = NEW.version AND other.step = 'proposed' AND other.name != NEW.name
            ) BEGIN SELECT RAISE(ABORT, 'nobody approves what they have proposed'); END;
            CREATE TRIGGER document_step_in_order BEFORE INSERT ON document_step
            WHEN NEW.step = 'published' AND NOT EXISTS (
                SELECT 1 FROM document_step AS other WHERE other.piece = NEW.piece AND other.kind = NEW.kind
                AND other.version = NEW.version AND other.step = 'approved'
            ) BEGIN SELECT RAISE(ABORT, 'nothing is published that nobody has approved'); END;
            """)
    }

    /// Names that differ in case only are one person's: the rule that two people publish holds for them, too.
    static func twoPeopleInAnyCase(_ db: Database) throws {
        try db.execute(sql: """
            DROP TRIGGER document_step_by_two;
            CREATE TRIGGER document_step_by_two BEFORE INSERT ON document_step
            WHEN NEW.step = 'approved' AND NOT EXISTS (
                SELECT 1 FROM document_step AS other WHERE other.piece = NEW.piece AND other.kind = NEW.kind
                AND other.version = NEW.version AND other.step = 'proposed' AND other.name != NEW.name COLLATE NOCASE
            ) BEGIN SELECT RAISE(ABORT, 'nobody approves what they have proposed'); END;
            """)
    }

    /// The seventh step: a draft, which was never published, may give its number to a version that was published elsewhere.
    static func drafts(_ db: Database) throws {
        try db.execute(sql: """
            DROP TRIGGER document_keeps;
            DROP TRIGGER document_step_keeps;
            CREATE TRIGGER document_keeps BEFORE DELETE ON document WHEN EXISTS (
                SELECT 1 FROM document_step AS step WHERE step.piece = OLD.piece AND step.kind = OLD.kind
                AND step.version = OLD.version AND step.step = 'published'
            ) BEGIN SELECT RAISE(ABORT, 'what was published is never removed'); END;
            CREATE TRIGGER document_step_keeps BEFORE DELETE ON document_step WHEN EXISTS (
                SELECT 1 FROM document WHERE document.piece = OLD.piece AND document.kind = OLD.kind
                AND document.version = OLD.version
            ) BEGIN SELECT RAISE(ABORT, 'a document keeps its steps'); END;
            """)
    }
}
