import Glibc
import GRDB
import SystemPackage

// What has counted for everybody counts no second time, also where its database was set aside.
extension LedgerRow {
    /// Claims in a database that was damaged, oldest first, without their postings. Of an entry that cannot be read there is its claim, if
    /// the index of claims has it.
    static func claims(in damaged: FilePath) -> [LedgerRow] {
        var info = stat()
        // A pipe, for instance, would be waited for.
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
