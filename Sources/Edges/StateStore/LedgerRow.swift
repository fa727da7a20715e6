import Experience
import Fields
import GRDB
import Glibc
import Signals
import SystemPackage

/// A ledger entry of a household, as stored in the database: a row of `ledger`, and a row of `posting` for each of its postings. Rows are
/// never changed or removed.
public struct LedgerRow: Equatable, Sendable {
    public var piece: String
    public var household: String
    /// The entry's key. A second entry with the same key, of the same piece and household, is not recorded. The keys of claims are compared
    /// with those of other claims only.
    public var key: String
    public var kind: String
    /// The entry's note, as JSON of at most `StateStore.longestBody` bytes; `null` (in JSON) for an entry without a note.
    public var body: String
    /// The postings, which sum to zero in each currency. The initializers ensure that, and the database checks it.
    public internal(set) var postings: [Posting]
    /// The answer to the action with this key, as JSON; nil for an entry that no action made, or whose action got no answer.
    public internal(set) var answer: String?
    /// The key of a claim, which counts once for all households of all pieces; nil for an entry whose key is the household's own.
    public internal(set) var claim: String?

    public init(piece: String, household: String, _ entry: LedgerEntry) {
        self.init(piece: piece, household: household, key: entry.key, kind: entry.kind, body: entry.note?.written ?? "null",
                  postings: entry.postings)
        answer = entry.action?.answer?.written
        claim = entry.action?.scope == .everybody ? key : nil
    }

    /// The kind of an entry that moves nothing, and only prevents its key from counting later.
    public static let revoked = "revoked"

    public init(piece: String, household: String, revoking key: ActionKey) {
        self.init(piece: piece, household: household, key: key.text, kind: Self.revoked, body: "null")
        claim = key.text
    }

    init(piece: String, household: String, key: String, kind: String, body: String, postings: [Posting] = []) {
        self.piece = piece
        self.household = household
        self.key = key
        self.kind = kind
        self.body = body
        self.postings = postings
    }

    /// Reads a row of `ledger`, and the postings that belong to it.
    init(_ row: Row, in db: Database) throws {
        self.init(piece: row["piece"], household: row["household"], key: row["key"], kind: row["kind"], body: row["body"])
        let statement = try db.cachedStatement(sql: "SELECT account, currency, amount FROM posting WHERE entry = ? ORDER BY place")
        postings = try Row.fetchAll(statement, arguments: [row["number"] as Int64]).map {
            Posting(account: $0["account"], currency: $0["currency"], amount: $0["amount"])
        }
        (answer, claim) = (row["answer"], row["claim"])
    }

    /// Returns the checksum of the row with its postings. `created` is in seconds since 1970-01-01 in UTC.
    func sum(created: Int) -> Int64 {
        var texts = [piece, household, key, kind, body, "\(created)"]
        for posting in postings { texts += [posting.account, posting.currency, "\(posting.amount)"] }
        if let answer { texts += ["answer", answer] }
        if let claim { texts += ["claim", claim] }
        return RowSum.of(texts)
    }

    private func isThere(in db: Database) throws -> Bool {
        if let claim {
            return try Int.fetchOne(db.cachedStatement(sql: "SELECT 1 FROM ledger WHERE claim = ?"), arguments: [claim]) != nil
        }
        let sql = "SELECT 1 FROM ledger WHERE piece = ? AND household = ? AND key = ? AND claim IS NULL"
        return try Int.fetchOne(db.cachedStatement(sql: sql), arguments: [piece, household, key]) != nil
    }

    /// Writes the postings and then the entry, upon which the database checks that they sum to zero. Returns false, and writes nothing,
    /// where the household already has an entry with this key, or, for a claim, any household has.
    func insert(into db: Database, at now: Int) throws -> Bool {
        guard try !isThere(in: db) else { return false }
        let next = try db.cachedStatement(sql: "SELECT coalesce(max(number), 0) + 1 FROM ledger")
        let number = try Int64.fetchOne(next) ?? 1
        for (index, posting) in postings.enumerated() {
            try db.cachedStatement(sql: "INSERT INTO posting (entry, place, account, currency, amount) VALUES (?, ?, ?, ?, ?)")
                .execute(arguments: [number, index, posting.account, posting.currency, posting.amount])
        }
        try db.cachedStatement(sql: """
            INSERT INTO ledger (number, piece, household, key, kind, body, created, sum, answer, claim)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """).execute(arguments: [number, piece, household, key, kind, body, now, sum(created: now), answer, claim])
        return true
    }
}

// A claim must not count a second time, even if the database with its entry was set aside as damaged.
extension LedgerRow {
    /// Returns the claims in a damaged database, oldest first, without their postings. Of an entry that cannot be read, it returns the
    /// claim alone, if that is in the index of claims.
    static func claims(in damaged: FilePath) -> [LedgerRow] {
        var info = stat()
        // Opening a pipe, for instance, would wait.
        guard stat(damaged.string, &info) == 0, info.st_mode & S_IFMT == S_IFREG else { return [] }
        var configuration = Configuration()
        configuration.readonly = true
        guard let database = try? DatabaseQueue(path: damaged.string, configuration: configuration) else { return [] }
        defer { try? database.close() }
        var claims: [(number: Int64, row: LedgerRow)] = []
        try? database.read { db in
            let known = try Row.fetchCursor(db, sql: "SELECT number, claim FROM ledger WHERE claim IS NOT NULL")
            while let row = try known.next() {
                let unreadable = LedgerRow(claim: row["claim"], piece: "", household: "", kind: "unreadable")
                claims.append((row["number"], (try? read(row["number"], in: db)) ?? unreadable))
            }
        }
        return claims.sorted { $0.number < $1.number }.map(\.row)
    }

    static func insert(_ claims: [LedgerRow], into db: Database) throws {
        let now = Int(time(nil))
        for claim in claims { _ = try claim.insert(into: db, at: now) }
    }

    private static func read(_ number: Int64, in db: Database) throws -> LedgerRow? {
        try Row.fetchOne(db, sql: "SELECT piece, household, kind, claim FROM ledger WHERE number = ?", arguments: [number]).map {
            LedgerRow(claim: $0["claim"], piece: $0["piece"], household: $0["household"], kind: $0["kind"])
        }
    }

    private init(claim: String, piece: String, household: String, kind: String) {
        self.init(piece: piece, household: household, key: claim, kind: kind, body: "null")
        self.claim = claim
    }
}
