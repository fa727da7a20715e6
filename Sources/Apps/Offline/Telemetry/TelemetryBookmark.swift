import Experience
import Fields
import Journal
import JournalFile
import SystemPackage

/// A bookmark in a journal: where an export has stopped, and from where the next part goes on. It has no open file. It has the state of the
/// run there and at the journal's end, and the last rows before it that the next part may need.
public struct TelemetryBookmark: Sendable {
    fileprivate let journal: FilePath
    fileprivate let table: String
    /// The last rows before the bookmark, which the next part may need.
    fileprivate let rows: [TelemetryLog.Row]
    fileprivate let mark: Mark
    fileprivate let end: End

    /// A position in a journal's file, with the state of a replay that has taken the entries before it.
    fileprivate struct Mark {
        let fold: TelemetryFold
        let place: JournalScan.Place

        /// Marks the position that `scan` has reached; nil after text without a newline, which may be an incomplete line.
        init?(_ scan: borrowing JournalScan, _ fold: TelemetryFold) {
            guard !scan.lacksNewline else { return nil }
            self.fold = fold
            place = scan.place
        }
    }

    /// What was known about a journal when all of it had been read.
    fileprivate struct End {
        let whole: TelemetryLog.Whole
        /// The state of the journal's file when reading it began.
        let state: FileState
        let mark: Mark?

        /// Stores the results of a scan that has reached the end.
        init(_ scan: borrowing JournalScan, _ fold: TelemetryFold) {
            let cutLine: Int? = if case .cut(let line) = scan.ending { line } else { nil }
            whole = TelemetryLog.Whole(fold, cutLine: cutLine, scan.integrity)
            state = scan.state
            mark = Mark(scan, fold)
        }
    }

    /// The index of the earliest row that can be read from this bookmark on; a part must not begin before it.
    var row: Int { mark.fold.count - rows.count }

    func isOf(_ journal: FilePath, _ table: TelemetryTable) -> Bool { self.journal == journal && self.table == table.name }

    /// Whether both bookmarks belong to the same journal and the same table.
    public func isBeside(_ other: TelemetryBookmark) -> Bool { journal == other.journal && table == other.table }
}

/// A page of a journal's rows, read from a bookmark on. Thread: one that may wait.
struct TelemetryPage: Sendable {
    let log: TelemetryLog
    /// The bookmark from which the following rows are read; nil where the journal has its end, or its last line may be incomplete.
    let next: TelemetryBookmark?
    private(set) var bytesRead: Int64

    /// The error that the journal is from another piece than the one requested; `name` is that piece.
    struct OtherPiece: Error { let name: String }

    /// The error that the file of the session's model is missing; it may come later.
    struct NoModel: Error { let fault: JournalFault }

    /// Reads the rows `rows` of the journal. Begins at `bookmark` if that is in this journal, for this table, and not after the first row;
    /// otherwise begins at the journal's start. Reads no further than the rows if the journal has been read to its end before, except what
    /// the file has gained since. Throws `OtherPiece`, `NoModel`, `JournalFault` and `Errno`.
    init(_ journal: FilePath, named name: String, of table: TelemetryTable, rows: Range<Int>, from bookmark: TelemetryBookmark?,
         of experience: String, _ pieces: [any Experience.Type]) throws {
        if let bookmark, bookmark.isOf(journal, table), bookmark.row <= rows.lowerBound,
           let page = try Self.resumed(bookmark, named: name, of: table, rows: rows) {
            self = page
            return
        }
        var scan = try JournalScan(journal)
        let header = try scan.header()
        guard header.experience == experience else { throw OtherPiece(name: header.experience) }
        let fold = try Self.fold(header, in: journal, of: table, pieces)
        self = try Self.read(&scan, fold, [], end: nil, named: name, of: table, rows: rows)
    }

    /// Starts a replay of the journal that makes rows of `table`. Throws `NoModel` and `JournalFault`.
    private static func fold(_ header: JournalHeader, in journal: FilePath, of table: TelemetryTable,
                             _ pieces: [any Experience.Type]) throws -> TelemetryFold {
        do {
            return try TelemetryFold(header, in: journal, of: table, by: .same, pieces)
        } catch {
            if error.fault.field == ReplayModel.field { throw NoModel(fault: error) }
            throw error
        }
    }

    /// Reads the rows `rows` from a bookmark on; nil where the journal's file has been replaced, so that the bookmark is useless.
    private static func resumed(_ bookmark: TelemetryBookmark, named name: String, of table: TelemetryTable,
                                rows: Range<Int>) throws -> TelemetryPage? {
        do {
            var scan = try JournalScan(bookmark.journal, from: bookmark.mark.place)
            var (end, added): (TelemetryBookmark.End?, Int64) = (bookmark.end, 0)
            if scan.state != bookmark.end.state { (end, added) = try Self.added(to: bookmark) }
            var page = try read(&scan, bookmark.mark.fold, bookmark.rows, end: end, named: name, of: table, rows: rows)
            page.bytesRead += added
            return page
        } catch is JournalScan.OtherFile {
            return nil
        }
    }

    /// Reads what a journal has gained since the bookmark, and returns what is now known about its end: nil where only reading all of the
    /// journal would tell.
    private static func added(to bookmark: TelemetryBookmark) throws -> (end: TelemetryBookmark.End?, bytesRead: Int64) {
        guard let mark = bookmark.end.mark else { return (nil, 0) }
        var scan = try JournalScan(bookmark.journal, from: mark.place)
        var fold = mark.fold
        while let entry = try scan.next() { _ = try fold.take(entry, line: scan.line, isChanged: scan.integrity.line != nil) }
        return (TelemetryBookmark.End(scan, fold), scan.bytesRead)
    }

    /// Reads the rows `rows` from where `scan` is. `before` are the last rows that `fold` has returned. Where `end` is nil, the journal is
    /// read to its end to find it out.
    private static func read(_ scan: inout JournalScan, _ fold: TelemetryFold, _ before: [TelemetryLog.Row], end: TelemetryBookmark.End?,
                             named name: String, of table: TelemetryTable, rows: Range<Int>) throws -> TelemetryPage {
        var fold = fold
        var (kept, further): ([TelemetryLog.Row], [TelemetryLog.Row]) = ([], [])
        func sort(_ told: [TelemetryLog.Row], first: Int) {
            for (offset, row) in told.enumerated() {
                if rows.contains(first + offset) { kept.append(row) } else if first + offset >= rows.upperBound { further.append(row) }
            }
        }
        sort(before, first: fold.count - before.count)
        var mark = fold.count >= rows.upperBound ? TelemetryBookmark.Mark(scan, fold) : nil
        var end = end
        while mark == nil || end == nil {
            guard let entry = try scan.next() else {
                let found = TelemetryBookmark.End(scan, fold)
                // A journal without its end may grow.
                mark = mark ?? (found.whole.end == nil ? found.mark : nil)
                end = found
                break
            }
            let first = fold.count
            let told = try fold.take(entry, line: scan.line, isChanged: scan.integrity.line != nil)
            guard mark == nil else { continue }
            sort(told, first: first)
            if fold.count >= rows.upperBound { mark = TelemetryBookmark.Mark(scan, fold) }
        }
        guard let end else { preconditionFailure("a journal is read to its end unless it was before") }
        // A part may end before rows that the session's end may still mark.
        let behind = Array(kept.suffix(table.lastRows?.count ?? 0)) + further
        let next = mark.map { TelemetryBookmark(journal: scan.path, table: table.name, rows: behind, mark: $0, end: end) }
        return TelemetryPage(log: TelemetryLog(name, kept, first: rows.lowerBound, of: fold.declaration, end.whole), next: next,
                             bytesRead: scan.bytesRead)
    }

    private init(log: TelemetryLog, next: TelemetryBookmark?, bytesRead: Int64) {
        (self.log, self.next, self.bytesRead) = (log, next, bytesRead)
    }
}

/// The rows of a piece's table that have not been sent yet. The journals themselves are the outbox, and nothing is removed from them. The
/// caller stores a position that says up to which row they have been sent. So a batch that was not marked as sent is returned again.
public struct TelemetryOutbox: Sendable {
    public typealias Position = TelemetryExport.Cursor

    /// The next rows. Each has its session's name, so that a receiver can recognize rows that it has already.
    public struct Batch: Sendable {
        /// The text of whole lines, with the heading where the format has one.
        public var text: String
        public var rows: Int
        public var notes: [String]
        /// The position after these rows; nil while there is no journal.
        public var position: Position?
        /// Whether no further row exists.
        public var isLast: Bool
        /// The bookmark from which the next batch reads; nil where that begins at the start of a journal.
        public var bookmark: TelemetryBookmark?
        /// The bytes of journals that were read to make this batch.
        public var bytesRead: Int64 = 0
    }

    private let text: TelemetryText
    private let folder: SessionFolder
    private let piece: any Experience.Type

    /// Prepares batches of the rows of `table`. The table must have a topic, because the record of a running session is not final.
    public init(_ table: TelemetryTable, as format: TelemetryText.Format, in folder: SessionFolder, _ piece: any Experience.Type) {
        text = TelemetryText(format, table, namesSessions: true)
        self.folder = folder
        self.piece = piece
    }

    /// Returns the next rows after `position`; nil stands for the beginning. Rows of a running session that its end may still change are
    /// returned only after that end. If the journal of the position has been removed, goes on with the next journal. `bookmarks` are from
    /// earlier batches, and save reading. Throws `Fault` and `Errno`.
    public func batch(after position: Position?, limit: Int, at bookmarks: [TelemetryBookmark] = []) throws -> Batch {
        let journals = try (position.map { try folder.sessions(from: $0.session) } ?? folder.sessions()).map(\.path)
        guard let first = journals.first?.stem else {
            return Batch(text: text.heading, rows: 0, notes: [], position: position, isLast: true)
        }
        let start = position.flatMap { $0.session == first ? $0 : nil } ?? Position(session: first, row: 0)
        let part = try TelemetryExport(text, of: journals, piece, isForGood: true).part(from: start, limit: limit, at: bookmarks)
        return Batch(text: text.heading + part.text, rows: part.rows, notes: part.notes, position: part.end, isLast: part.next == nil,
                     bookmark: part.bookmark, bytesRead: part.bytesRead)
    }

    /// Throws a `Fault` with the field `position` where the session that `position` names does not exist.
    public func check(_ position: Position) throws {
        guard try folder.sessions().contains(where: { $0.path.stem == position.session }) else {
            throw Fault(field: "position", expected: "one that telemetry.unsent has told, while its session is there",
                        found: "\"\(position.text)\"")
        }
    }

    /// Whether `position` is after `former`; nil stands for the beginning of all rows.
    public func isBeyond(_ position: Position, _ former: Position?) throws -> Bool {
        guard let former else { return true }
        guard position.session != former.session else { return position.row > former.row }
        return try folder.sessions(from: former.session).contains { $0.path.stem == position.session }
    }
}
