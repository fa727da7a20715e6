import Database
import Files
import Fleet
import JournalFile

/// Shows that a journal is as it was when its station closed the day, and that the closing belongs to a root, or says what is not so. A
/// plain value, made of what the tables and a file have.
struct DayProof {
    /// A journal's file: its path, and the SHA-256 of its bytes in hexadecimal digits.
    struct File {
        let path: String
        let digest: String
    }

    /// What was found, a line each.
    private(set) var lines: [String] = []
    /// What does not hold, in words; empty where everything does.
    private(set) var flaws: [String] = []

    /// Looks for the journal `session`, a name with or without its seed. `closings` are those of the station's day. `all` returns the
    /// closings that arrived on a day, in the order of the root, and `root` the root of that day. `expected` is a root that somebody has
    /// kept elsewhere, and `file` a copy of the journal; both may be nil.
    init(of session: String, in closings: [ClosingTable.Row], expected: String?, file: File?,
         all: (String) throws(DatabaseProblem) -> [ClosingTable.Row], root: (String) throws(DatabaseProblem) -> ClosingTable.Root?)
        throws(DatabaseProblem) {
        guard let (row, closing, journal) = Self.first(session, in: closings) else {
            flaws = ["\(session): no closing of this day has it"]
            return
        }
        lines = ["journal  \(journal.name), \(journal.bytes) bytes", "sha256   \(journal.digest)",
                 "closing  \(row.digest) of \(closing.station), \(closing.day), with \(closing.journals.count) journals"]
        check(row, closing)
        try check(row, all(row.arrived), root(row.arrived), expected)
        if let file { check(file, journal, later: closings.contains { Self.has(file, journal, $0) }) }
    }

    private static func first(_ session: String, in rows: [ClosingTable.Row]) -> (ClosingTable.Row, Closing, Closing.Journal)? {
        for row in rows {
            guard let closing = Closing(text: row.text) else { continue }
            if let journal = closing.journals.first(where: { $0.name == session || $0.name.hasPrefix(session + "/") }) {
                return (row, closing, journal)
            }
        }
        return nil
    }

    /// Whether a closing has the journal with the digest of the file.
    private static func has(_ file: File, _ journal: Closing.Journal, _ row: ClosingTable.Row) -> Bool {
        Closing(text: row.text)?.journals.contains { $0.name == journal.name && $0.digest == file.digest } == true
    }

    private mutating func check(_ row: ClosingTable.Row, _ closing: Closing) {
        if let key = JournalPublicKey(hexadecimal: row.key) { lines.append("key      \(key.fingerprint)") }
        if !SignedClosing(closing, key: row.key, signature: row.signature).isGood {
            flaws.append("the closing was changed after it was signed, or another key has signed it")
        }
    }

    private mutating func check(_ row: ClosingTable.Row, _ all: [ClosingTable.Row], _ root: ClosingTable.Root?, _ expected: String?) {
        guard let root else {
            flaws.append("the closing arrived on \(row.arrived), whose root is made when that day is over in UTC")
            return
        }
        lines.append("root     \(root.root) of \(root.day), with \(root.closings) closings")
        if let expected, expected != root.root { flaws.append("the root of \(root.day): expected \(expected), found \(root.root)") }
        let tree = ClosingDesk.tree(of: all.map(\.text))
        let (found, text) = (Digest.hexadecimal(tree.root), Array(row.text.utf8))
        guard found == root.root, let index = all.firstIndex(of: row) else {
            flaws.append("the closings of \(root.day) have the root \(found): one was changed, added or removed")
            return
        }
        let path = tree.path(of: index)
        lines.append("path     \(index) of \(all.count)" + path.map { " " + Digest.hexadecimal($0) }.joined())
        if !MerkleTree.shows(path, that: text, at: index, of: all.count, belongsTo: tree.root, { Digest.of($0) }) {
            flaws.append("the path does not lead to the root")
        }
    }

    private mutating func check(_ file: File, _ journal: Closing.Journal, later isClosedLater: Bool) {
        if file.digest == journal.digest {
            lines.append("file     \(file.path) is the journal that was closed")
        } else {
            flaws.append("\(file.path): \(journal.name) was changed after its closing: its sha256 is \(file.digest)"
                + (isClosedLater ? ", as in a later closing of this day" : ""))
        }
    }
}
