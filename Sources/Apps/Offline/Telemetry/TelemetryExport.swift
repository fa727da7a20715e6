import Experience
import Fields
import Journal
import JournalFile
import SystemPackage

/// The telemetry of recorded sessions, in parts of a limited number of rows. A part says by a bookmark where the next one begins to read;
/// one without a bookmark goes through its first journal from the beginning, and has the same rows. So an export needs memory for one part
/// and a bookmark only, however long the journals are.
public struct TelemetryExport: Sendable {
    /// The first row that is still to come.
    public struct Cursor: Equatable, Sendable {
        /// The journal's name without `.jsonl`.
        public let session: String
        /// The row of that session, from 0.
        public let row: Int

        public init(session: String, row: Int) {
            self.session = session
            self.row = row
        }

        /// Reads a cursor's `text`; nil for anything else.
        public init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let row = Int(text[text.index(after: colon)...]), row >= 0 else { return nil }
            self.init(session: String(text[..<colon]), row: row)
        }

        public var text: String { "\(session):\(row)" }
    }

    public struct Part: Sendable {
        /// The text of the part. All parts one after the other are what `thrum telemetry export` writes.
        public var text: String
        public var rows = 0
        /// Notes for people on the journals that this part has come to the end of.
        public var notes: [String] = []
        /// The first row of the next part; nil when this is the last part.
        public var next: Cursor?
        /// The end of this part, of the last one too: a part from here on has what came later. Nil where there is no journal.
        public var end: Cursor?
        /// The share of the export that has been done, 0 to 1.
        public var progress = 1.0
        /// The bookmark from which the part after this one reads; nil where it begins with a journal.
        public var bookmark: TelemetryBookmark?
        /// The bytes of journals that were read to make this part.
        public var bytesRead: Int64 = 0
    }

    /// The limits of a part's number of rows.
    public static let limits = 1...5000
    /// The most journals that a part goes through: those without a row cost time, too.
    static let mostJournals = 64

    private let text: TelemetryText
    private let journals: [FilePath]
    private let pieces: [any Experience.Type]
    private let experience: String
    private let isForGood: Bool

    /// Prepares an export. Journals of another piece than `piece` are left out. `isForGood` leaves out the rows of the last journal that
    /// its session's end may still change: all of them, while the session has no end and the table says how it ended. It goes no further
    /// than to a session whose model cannot be had, which may be there later; all others leave that out.
    public init(_ text: TelemetryText, of journals: [FilePath], _ piece: any Experience.Type, isForGood: Bool = false) {
        self.text = text
        self.isForGood = isForGood
        self.journals = journals
        pieces = [piece]
        experience = piece.declaration.name
    }

    /// Makes the part that begins at `cursor`; nil is the beginning. Of `bookmarks`, which parts before have left, that one is used from
    /// which there is least to read. Throws `Fault` for the field `cursor`.
    public func part(from cursor: Cursor?, limit: Int, at bookmarks: [TelemetryBookmark] = []) throws(Fault) -> Part {
        var (place, row) = (0, 0)
        if let cursor {
            guard let found = journals.firstIndex(where: { $0.stem == cursor.session }) else {
                throw Fault(field: "cursor", expected: "what the last answer said, while its session is there", found: "\"\(cursor.text)\"")
            }
            (place, row) = (found, cursor.row)
        }
        var part = Part(text: cursor == nil ? text.heading : "", end: cursor)
        var share = 0.0
        var bookmark = place < journals.count ? bookmarks.filter { $0.isOf(journals[place], text.table) && $0.row <= row }
            .max { $0.row < $1.row } : nil
        let end = min(journals.count, place + Self.mostJournals)
        while place < end, part.rows < limit {
            let rows = row..<(row + limit - part.rows)
            let name = journals[place].stem ?? ""
            let mayGrow = isForGood && place == journals.count - 1
            var page: TelemetryPage?
            var former: Int64 = 0
            let reading = TelemetryReading(named: name, mayGrow: mayGrow, of: experience) {
                func read(_ rows: Range<Int>, from bookmark: TelemetryBookmark?) throws -> TelemetryPage {
                    let found = try TelemetryPage(journals[place], named: name, of: text.table, rows: rows, from: bookmark, of: experience,
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
            (place, row, share) = (place + 1, 0, 0)
        }
        part.bookmark = bookmark
        if place < journals.count {
            part.next = Cursor(session: journals[place].stem ?? "", row: row)
            part.progress = (Double(place) + share) / Double(journals.count)
        }
        return part
    }
}

/// A journal as an export takes it: its telemetry, and what people are to know of it.
public struct TelemetryReading: Sendable {
    /// The telemetry; nil if the journal is left out.
    public let log: TelemetryLog?
    /// The piece that the session is of, where it is left out because of that.
    public let otherPiece: String?
    /// The fault that the session's model cannot be had; nil for none. The journal is left out because of that.
    let missingModel: JournalFault?
    /// Notes for people, sentences that each begin with the journal's name.
    public let notes: [String]

    /// Reads the whole journal, and keeps its rows told within `cut`. `name` is what people call it, and `session` what tables do. A
    /// journal of another piece than `experience` is left out.
    public init(_ journal: FilePath, named name: String, session: String, for text: TelemetryText, cut: SessionCut = .whole,
                of experience: String, by rules: ReplayRules = .same, _ pieces: [any Experience.Type]) {
        self.init(named: name, of: experience) {
            var scan = try JournalScan(journal)
            let piece = try scan.header().experience
            guard piece == experience else { throw TelemetryPage.OtherPiece(name: piece) }
            return try TelemetryLog(journal, named: session, of: text.table, cut: cut, by: rules, pieces)
        }
    }

    /// Takes the log that `read` returns. One of a journal that `mayGrow` needs no end. `read` throws `TelemetryPage.OtherPiece` for a
    /// journal of another piece than `experience`, `TelemetryPage.NoModel`, and what is wrong with the journal.
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
