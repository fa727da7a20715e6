import GRDB
import Publishing

/// A stored version of a document of a piece.
public struct KeptDocument: Equatable, Sendable {
    public var piece: String
    /// The version. Its body has at most `StateStore.longestBody` bytes.
    public var version: DocumentVersion

    public init(piece: String, version: DocumentVersion) {
        self.piece = piece
        self.version = version
    }
}

// Documents as rows: one for the proposed version, and one for each step taken with it.
extension KeptDocument {
    struct Key: Hashable {
        var piece: String
        var kind: String
        var version: Int
    }

    var key: Key { Key(piece: piece, kind: version.kind, version: version.version) }

    /// Writes the document and its steps. What is stored already is not written again. A stored draft is replaced by a version of the same
    /// number that was published elsewhere.
    func write(to db: Database) throws {
        let (kind, number) = (version.kind, version.version)
        if version.published != nil, try isAnother(in: db) {
            try db.execute(sql: "DELETE FROM document WHERE piece = ? AND kind = ? AND version = ?", arguments: [piece, kind, number])
            try db.execute(sql: "DELETE FROM document_step WHERE piece = ? AND kind = ? AND version = ?", arguments: [piece, kind, number])
        }
        try db.execute(sql: "INSERT INTO document VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING", arguments: [
            piece, kind, number, version.former, version.body, RowSum.of(piece, kind, "\(number)", "\(version.former)", version.body),
        ])
        let steps = [("proposed", version.proposed), ("approved", version.approved), ("published", version.published),
                     ("withdrawn", version.withdrawn)]
        for case (let name, let step?) in steps {
            // A row that exists already would be refused by a trigger, before `ON CONFLICT` could skip it.
            try db.execute(sql: """
                INSERT INTO document_step SELECT ?, ?, ?, ?, ?, ?, ? WHERE NOT EXISTS (
                    SELECT 1 FROM document_step WHERE piece = ? AND kind = ? AND version = ? AND step = ?)
                """, arguments: [piece, kind, number, name, step.by, step.at,
                                 RowSum.of(piece, kind, "\(number)", name, step.by, "\(step.at)"), piece, kind, number, name])
        }
    }

    /// Says whether the database has a different version, which was proposed, under the number of this version.
    private func isAnother(in db: Database) throws -> Bool {
        try Bool.fetchOne(db, sql: """
            SELECT body != ? OR former != ? OR name != ? OR created != ? FROM document JOIN document_step USING (piece, kind, version)
            WHERE piece = ? AND kind = ? AND version = ? AND step = 'proposed'
            """, arguments: [version.body, version.former, version.proposed.by, version.proposed.at,
                             piece, version.kind, version.version]) ?? false
    }

    /// Returns all documents, ordered by piece, kind and version.
    static func all(in db: Database) throws -> [KeptDocument] {
        var steps: [Key: [String: DocumentVersion.Step]] = [:]
        for row in try Row.fetchAll(db, sql: "SELECT * FROM document_step") {
            let key = Key(piece: row["piece"], kind: row["kind"], version: row["version"])
            steps[key, default: [:]][row["step"]] = DocumentVersion.Step(by: row["name"], at: row["created"])
        }
        return try Row.fetchAll(db, sql: "SELECT * FROM document ORDER BY piece, kind, version").compactMap { row in
            let key = Key(piece: row["piece"], kind: row["kind"], version: row["version"])
            guard let steps = steps[key], let proposed = steps["proposed"] else { return nil }
            return KeptDocument(piece: key.piece, version: DocumentVersion(
                kind: key.kind, version: key.version, former: row["former"], body: row["body"], proposed: proposed,
                approved: steps["approved"], published: steps["published"], withdrawn: steps["withdrawn"]))
        }
    }
}

extension RowSum {
    /// Returns the first document or step whose checksum is wrong, in words; nil where all are right. The tables must have passed SQLite's
    /// check.
    static func documentMisfit(in db: Database) throws -> String? {
        guard try db.tableExists("document") else { return nil }
        for row in try Row.fetchAll(db, sql: "SELECT * FROM document") {
            let sum = of(row["piece"], row["kind"], "\(row["version"] as Int)", "\(row["former"] as Int)", row["body"])
            guard row["sum"] == sum else { return "a document's checksum does not fit" }
        }
        for row in try Row.fetchAll(db, sql: "SELECT * FROM document_step") {
            let sum = of(row["piece"], row["kind"], "\(row["version"] as Int)", row["step"], row["name"], "\(row["created"] as Int)")
            guard row["sum"] == sum else { return "the checksum of a document's step does not fit" }
        }
        return nil
    }
}
