import GRDB

/// A row's checksum, which shows bytes that have changed within a text: SQLite does not notice them. It protects from accidents, not from
/// forgers.
enum RowSum {
    /// FNV-1a with 64 bits (G. Fowler, L. C. Noll, K.-P. Vo) over the texts' UTF-8, a byte 0xFF after each, which UTF-8 never has.
    static func of(_ texts: String...) -> Int64 { of(texts) }

    static func of(_ texts: [String]) -> Int64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        func add(_ byte: UInt8) { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        for text in texts {
            for byte in text.utf8 { add(byte) }
            add(0xFF)
        }
        return Int64(bitPattern: hash)
    }

    /// The first memory whose sum does not fit, in words; nil where all do. The table must have passed SQLite's own check.
    static func memoryMisfit(in db: Database) throws -> String? {
        guard try db.tableExists("memory") else { return nil }
        let memories = try Row.fetchCursor(db, sql: "SELECT * FROM memory")
        while let row = try memories.next() {
            guard row["sum"] == of(row["piece"], row["household"], row["body"], "\(row["updated"] as Int)") else {
                return "a memory's checksum does not fit"
            }
        }
        return nil
    }

    /// All that does not fit of the ledger's entries with these numbers, and of their postings, in words.
    static func ledgerMisfits(in db: Database, _ numbers: ClosedRange<Int64>) throws -> [String] {
        var misfits: [String] = []
        let range: StatementArguments = [numbers.lowerBound, numbers.upperBound]
        let entries = try Row.fetchCursor(db, sql: "SELECT * FROM ledger WHERE number BETWEEN ? AND ?", arguments: range)
        while let row = try entries.next() {
            let entry = try LedgerRow(row, in: db)
            guard row["sum"] != entry.sum(created: row["created"]) else { continue }
            misfits.append("the checksum of the ledger's entry \(row["number"] as Int64) does not fit")
        }
        let loose = "SELECT DISTINCT entry FROM posting WHERE entry BETWEEN ? AND ? AND entry NOT IN (SELECT number FROM ledger)"
        return misfits + (try Int64.fetchAll(db, sql: loose, arguments: range).map {
            "the ledger's entry \($0) is missing, and its postings are not"
        })
    }
}
