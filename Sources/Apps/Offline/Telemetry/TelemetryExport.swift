import Experience
import Fields
import Journal
import JournalFile
import SystemPackage

/// The telemetry of recorded sessions, in parts with a limited number of rows. Each part has a bookmark from which the next part reads.
/// Without the bookmark a part has the same rows, but reads its first journal from the beginning. So an export needs memory only for one
/// part and a bookmark, however long the journals are.
public struct TelemetryExport: Sendable {
    /// The position of the first row that has not been exported.
    public struct Cursor: Equatable, Sendable {
        /// The journal's name without `.jsonl`.
        public let session: String
        /// The row of that session, from 0.
        public let row: Int

        public init(session: String, row: Int) {
            self.session = session
            self.row = row
        }

        /// Reads a cursor from the text that a client has sent; nil where `text` is not the text of a cursor.
        public init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let row = Int(text[text.index(after: colon)...]), row >= 0 else { return nil }
            self.init(session: String(text[..<colon]), row: row)
        }

        public var text: String { "\(session):\(row)" }
    }

    public struct Part: Sendable {
        /// The text of the part. All parts together are what `thrum telemetry export` writes.
        public var text: String
        public var rows = 0
        /// Notes for people on the journals that end in this part.
        public var notes: [String] = []
        /// The first row of the next part; nil when this is the last part.
        public var next: Cursor?
        /// The position after this part, even after the last part. A part that begins there has the rows that came later. Nil where there
        /// is no journal.
        public var end: Cursor?
        /// The fraction of the export that is done, 0…1.
        public var progress = 1.0
        /// The bookmark from which the next part reads; nil where that begins at the start of a journal.
        public var bookmark: TelemetryBookmark?
        /// The bytes of journals that were read to make this part.
        public var bytesRead: Int64 = 0
    }

    /// The limits of a part's number of rows.
    public static let limits = 1...5000
    /// The largest number of journals that a part reads, because journals without a row take time, too.
    static let mostJournals = 64

    private let text: TelemetryText
    private let journals: [FilePath]
    private let pieces: [any Experience.Type]
    private let experience: String
    private let isForGood: Bool

    /// Prepares an export. Leaves out journals of other pieces than `piece`. With `isForGood`, leaves out rows of the last journal that its
    /// session's end may still change; these are all rows if the table says how the session ended. With `isForGood`, stops before a session
    /// whose model is missing, because the model may come later. Without it, leaves such sessions out.
    public init(_ text: TelemetryText, of journals: [FilePath], _ piece: any Experience.Type, isForGood: Bool = false) {
        self.text = text
        self.isForGood = isForGood
        self.journals = journals
        pieces = [piece]
        experience = piece.declaration.name
    }

    /// Returns the part that begins at `cursor`; nil stands for the beginning. `bookmarks` are from earlier parts; the one that saves most
    /// reading is used. Throws `Fault` for the field `cursor`.
    public func part(from cursor: Cursor?, limit: Int, at bookmarks: [TelemetryBookmark] = []) throws(Fault) -> Part {
        var (index, row) = (0, 0)
        if let cursor {
            guard let found = journals.firstIndex(where: { $0.stem == cursor.session }) else {
                throw Fault(field: "cursor", expected: "what the last answer said, while its session is there", found: "\"\(cursor.text)\"")
            }
            (index, row) = (found, cursor.row)
        }
        var part = Part(text: cursor == nil ? text.heading : "", end: cursor)
        var share = 0.0
        var bookmark = index < journals.count ? bookmarks.filter { $0.isOf(journals[index], text.table) && $0.row <= row }
            .max { $0.row < $1.row } : nil
        let end = min(journals.count, index + Self.mostJournals)
        while index < end, part.rows < limit {
            let rows = row..<(row + limit - part.rows)
            let name = journals[index].stem ?? ""
            let mayGrow = isForGood && index == journals.count - 1
            var page: TelemetryPage?
            var former: Int64 = 0
            let reading = TelemetryReading(named: name, mayGrow: mayGrow, of: experience) {
                func read(_ rows: Range<Int>, from bookmark: TelemetryBookmark?) throws -> TelemetryPage {
                    let found = try TelemetryPage(journals[index], named: name, of: text.table, rows: rows, from: bookmark, of: experience,
                                                  pieces)
                    page = found
                    return found
                }
                guard mayGrow, text.table.lastRows != nil else { return try read(rows, from: bookmark).log }
                // No row of the session is settled before its end, and a bookmark at this row is good until then.
                let look = try read(row..<row, from: bookmark)
                guard look.log.end != nil else { return look.log }
                former = look.bytesRead
                return try read(rows, from: look.next ?? bookmark).log
            }
            bookmark = page?.next
            part.bytesRead += former + (page?.bytesRead ?? 0)
            if isForGood, let fault = reading.missingModel {
                part.end = Cursor(session: name, row: row)
                part.notes.append(fault.description(file: name) + "; rows from here on wait until it can be read")
                return part
            }
            if let log = reading.log {
                part.text += text.lines(log)
                part.rows += text.rows(log)
                row += log.rows.count
                if row == rows.upperBound, log.count > row {
                    part.end = Cursor(session: name, row: row)
                    share = Double(row) / Double(log.count)
                    continue
                }
            }
            part.end = Cursor(session: name, row: row)
            part.notes += reading.notes
            if !mayGrow { bookmark = nil }
            (index, row, share) = (index + 1, 0, 0)
        }
        part.bookmark = bookmark
        if index < journals.count {
            part.next = Cursor(session: journals[index].stem ?? "", row: row)
            part.progress = (Double(index) + share) / Double(journals.count)
        }
        return part
    }
}

/// The result of reading a journal for an export: its telemetry, and notes for people.
public struct TelemetryReading: Sendable {
    /// The telemetry; nil if the journal is left out.
    public let log: TelemetryLog?
    /// The name of the session's piece, if the journal is left out because it is another piece than the one requested; else nil.
    public let otherPiece: String?
    /// The fault that the session's model is missing, if the journal is left out because of that; else nil.
    let missingModel: JournalFault?
    /// Notes for people: sentences that begin with the journal's name.
    public let notes: [String]

    /// Reads the whole journal, and keeps its rows within `cut`. `name` is the journal's name for people, and `session` is its name in
    /// tables. A journal of another piece than `experience` is left out.
    public init(_ journal: FilePath, named name: String, session: String, for text: TelemetryText, cut: SessionCut = .whole,
                of experience: String, by rules: ReplayRules = .same, _ pieces: [any Experience.Type]) {
        self.init(named: name, of: experience) {
            var scan = try JournalScan(journal)
            let piece = try scan.header().experience
            guard piece == experience else { throw TelemetryPage.OtherPiece(name: piece) }
            return try TelemetryLog(journal, named: session, of: text.table, cut: cut, by: rules, pieces)
        }
    }

    /// Takes the log that `read` returns. `mayGrow` says that the journal may lack its end without a note. `read` throws
    /// `TelemetryPage.OtherPiece` for a journal of another piece than `experience`, `TelemetryPage.NoModel`, and the faults of the journal.
    init(named name: String, mayGrow: Bool = false, of experience: String, _ read: () throws -> TelemetryLog) {
        do {
            let log = try read()
            var notes: [String] = []
            if let line = log.cutLine, !mayGrow {
                notes.append("\(name):\(line): warning: the session was cut off here; exported up to the cut")
            }
            if let warning = log.integrity.warning(name) { notes.append(warning) }
            self.log = log
            otherPiece = nil
            missingModel = nil
            self.notes = notes
        } catch let other as TelemetryPage.OtherPiece {
            log = nil
            otherPiece = other.name
            missingModel = nil
            notes = ["\(name): the experience is \(other.name), not \(experience); left out"]
        } catch let missing as TelemetryPage.NoModel {
            log = nil
            otherPiece = nil
            missingModel = missing.fault
            notes = [missing.fault.description(file: name) + "; left out"]
        } catch {
            let reason = (error as? JournalFault)?.description(file: name) ?? "\(name): \(error)"
            log = nil
            otherPiece = nil
            missingModel = nil
            notes = [reason + "; left out"]
        }
    }
}
