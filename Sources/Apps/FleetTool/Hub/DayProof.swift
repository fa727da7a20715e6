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

    /// What is asked.
    struct Question {
        /// The name of the journal, with or without its seed.
        let session: String
        let station: StationName
        /// The day at the station's place on which the session began.
        let day: String
        /// The fingerprint of the key that has to have signed; nil for the key of the station's first closing.
        var key: String?
        /// Roots that somebody has kept elsewhere, by their days in UTC.
        var roots: [String: String] = [:]
        /// A copy of the journal.
        var file: File?
    }

    /// A closing that has the journal.
    private struct Found {
        let row: ClosingTable.Row
        let closing: Closing
        let journal: Closing.Journal
    }

    /// What was found, a line each.
    private(set) var lines: [String] = []
    /// What does not hold, in words; empty where everything does.
    private(set) var flaws: [String] = []

    /// Answers `question`. `closings` are those that the table has for the station's day, in the order of their arrival, and `firstKey` is
    /// the key of the station's first closing. `days` returns the days between two, both included, that have closings or a root.
    init(_ question: Question, in closings: [ClosingTable.Row], firstKey: String?,
         days: (String, String) throws(DatabaseProblem) -> [ClosingTable.Day]) throws(DatabaseProblem) {
        var found: [Found] = []
        for row in closings {
            guard let closing = read(row, question) else { continue }
            for journal in closing.journals where journal.name == question.session || journal.name.hasPrefix(question.session + "/") {
                found.append(Found(row: row, closing: closing, journal: journal))
            }
        }
        guard let first = found.first else {
            flaws.append("\(question.session): no closing of this day has it")
            return
        }
        let (journal, closing) = (first.journal, first.closing)
        lines = ["journal  \(journal.name), \(journal.bytes) bytes", "sha256   \(journal.digest)",
                 "closing  \(first.row.digest) of \(closing.station), \(closing.day), with \(closing.journals.count) journals"]
        for other in found where other.journal != journal {
            flaws.append("\(journal.name): closed twice and differently; the closing \(other.row.digest), which arrived on "
                + "\(other.row.arrived), has \(other.journal.name) with the sha256 \(other.journal.digest)")
        }
        check(first, question, firstKey)
        try checkRoots(first.row, question, closings, days)
        sayDelay(first)
        if let file = question.file { check(file, journal) }
    }

    /// Reads a row; nil where it is no closing of that station's day, which is a flaw.
    private mutating func read(_ row: ClosingTable.Row, _ question: Question) -> Closing? {
        let name = "the closing \(row.digest), which arrived on \(row.arrived)"
        if Digest.hexadecimal(Digest.of(Array(row.text.utf8))) != row.digest { flaws.append("\(name): its text has another sha256") }
        guard let closing = Closing(text: row.text) else {
            flaws.append("\(name): its text is no closing")
            return nil
        }
        guard closing.station == question.station, closing.day == question.day else {
            flaws.append("\(name): its text is of \(closing.station), \(closing.day)")
            return nil
        }
        return closing
    }

    private mutating func check(_ found: Found, _ question: Question, _ firstKey: String?) {
        let (row, closing) = (found.row, found.closing)
        let fingerprint = JournalPublicKey(hexadecimal: closing.key)?.fingerprint ?? "none"
        lines.append("key      \(fingerprint)")
        if closing.key != row.key || !SignedClosing(closing, signature: row.signature).isGood {
            flaws.append("the closing was changed after it was signed, or another key has signed it")
        }
        if let wanted = question.key {
            if wanted != fingerprint { flaws.append("the key: expected \(wanted), found \(fingerprint)") }
        } else if firstKey != closing.key {
            flaws.append("the closing is signed by another key than the station's first closing: where that is right, give --key")
        }
    }

    /// Makes every root anew from the day of the journal to the closing's arrival, and further where somebody has kept the root of a day
    /// before or after. Whoever takes the closing that arrived first out of the table changes a root among them.
    private mutating func checkRoots(_ row: ClosingTable.Row, _ question: Question, _ closings: [ClosingTable.Row],
                                     _ days: (String, String) throws(DatabaseProblem) -> [ClosingTable.Day]) throws(DatabaseProblem) {
        let ends = [question.day, row.arrived] + question.roots.keys
        let days = try days(ends.min() ?? question.day, ends.max() ?? row.arrived)
        for day in days {
            check(day, row)
            // The columns that say whose closing it is are in no root.
            for other in day.closings where !closings.contains(other)
                && other.text.hasPrefix(Closing.beginning(of: question.station, on: question.day)) {
                flaws.append("the closing \(other.digest), which arrived on \(other.arrived): the table has it for another station or day")
            }
        }
        if !days.contains(where: { $0.day == row.arrived && $0.root != nil }) {
            flaws.append("the closing arrived on \(row.arrived), whose root is made when that day is over in UTC")
        }
        for (day, expected) in question.roots.sorted(by: { $0.key < $1.key }) {
            let found = days.first { $0.day == day }?.root?.root
            if found != expected { flaws.append("the root of \(day): expected \(expected), found \(found ?? "none")") }
        }
    }

    private mutating func check(_ day: ClosingTable.Day, _ row: ClosingTable.Row) {
        guard let root = day.root else {
            if day.day < row.arrived { flaws.append("the closings that arrived on \(day.day) have no root") }
            return
        }
        let isArrival = day.day == row.arrived
        if isArrival { lines.append("root     \(root.root) of \(root.day), with \(root.closings) closings") }
        let entries = ClosingDesk.entries(of: day)
        let tree = MerkleTree(entries) { Digest.of($0) }
        let found = Digest.hexadecimal(tree.root)
        guard found == root.root else {
            flaws.append("the closings of \(root.day) have the root \(found): one was changed, added or removed")
            return
        }
        guard isArrival else { return }
        guard let place = day.closings.firstIndex(of: row) else {
            flaws.append("the closings of \(root.day) do not have this one")
            return
        }
        let index = place + entries.count - day.closings.count
        let path = tree.path(of: index)
        lines.append("path     \(index) of \(entries.count)" + path.map { " " + Digest.hexadecimal($0) }.joined())
        if !MerkleTree.shows(path, that: entries[index], at: index, of: entries.count, belongsTo: tree.root, { Digest.of($0) }) {
            flaws.append("the path does not lead to the root")
        }
    }

    /// Says how late a closing came that came later than the next day. A station that had no network is a reason, and none is known here.
    private mutating func sayDelay(_ found: Found) {
        guard let begun = Closing.start(ofJournal: found.closing.day + "T00-00-00Z"),
              let arrived = Closing.start(ofJournal: found.row.arrived + "T00-00-00Z") else { return }
        let days = (arrived - begun) / 86_400
        if days > 1 { lines.append("late     the closing arrived \(days) days after its day began: until then nothing is proven") }
    }

    private mutating func check(_ file: File, _ journal: Closing.Journal) {
        if file.digest == journal.digest {
            lines.append("file     \(file.path) is the journal that was closed")
        } else {
            flaws.append("\(file.path): \(journal.name) was changed after its closing: its sha256 is \(file.digest)")
        }
    }
}
