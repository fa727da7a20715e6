import Experience
import Fields
import SystemPackage

/// The telemetry of recorded sessions, in parts of a limited number of rows. A part says by a bookmark where the next one begins to read;
/// one without a bookmark goes through its first journal from the beginning, and has the same rows. So an export needs memory for one part
/// and a bookmark only, however long the journals are.
public struct TelemetryExport: Sendable {
    /// The first row that is still to come.
    public struct Cursor: Equatable, Sendable {
        /// The journal's name without `.jsonl`.
        public let session: String
        /// Of that session, from 0.
        public let row: Int

        public init(session: String, row: Int) {
            self.session = session
            self.row = row
        }

        /// Nil unless it is a cursor's `text`.
        public init?(_ text: String) {
            guard let colon = text.lastIndex(of: ":"), let row = Int(text[text.index(after: colon)...]), row >= 0 else { return nil }
            self.init(session: String(text[..<colon]), row: row)
        }

        public var text: String { "\(session):\(row)" }
    }

    public struct Part: Sendable {
        /// All parts one after the other are what `thrum telemetry export` writes.
        public var text: String
        public var rows = 0
        /// What people are to know of the journals that this part has come to the end of.
        public var notes: [String] = []
        /// Nil when this is the last part.
        public var next: Cursor?
        /// Up to where this part goes, the last one too: a part from here on has what came later. Nil where there is no journal.
        public var end: Cursor?
        /// How much of the export has been done, 0 to 1.
        public var progress = 1.0
        /// From where the part after this one reads; nil where it begins with a journal.
        public var bookmark: TelemetryBookmark?
        /// Of journals, to make this part.
        public var bytesRead: Int64 = 0
    }

    /// How many rows a part has at most.
    public static let limits = 1...5000
    /// How many journals a part goes through at most: those without a row cost time, too.
    static let mostJournals = 64

    private let text: TelemetryText
    private let journals: [FilePath]
    private let pieces: [any Experience.Type]
    private let experience: String
    private let isForGood: Bool

    /// Journals of another piece than `piece` are left out. `isForGood` leaves out the rows of the last journal that its session's end may
    /// still change: they are the last ones, while the session has no end and the table marks the last rows.
    public init(_ text: TelemetryText, of journals: [FilePath], _ piece: any Experience.Type, isForGood: Bool = false) {
        self.text = text
        self.isForGood = isForGood
        self.journals = journals
        pieces = [piece]
        experience = piece.declaration.name
    }

    /// Of `bookmarks`, which parts before have left, that one is used from which there is least to read. Throws `Fault` for the field
    /// `cursor`.
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
            let reading = TelemetryReading(named: name, mayGrow: mayGrow, of: experience) {
                let found = try TelemetryPage(journals[place], named: name, of: text.table, rows: rows, from: bookmark, of: experience,
                                              pieces)
                page = found
                return found.log
            }
            bookmark = page?.next
            part.bytesRead += page?.bytesRead ?? 0
            if var log = reading.log {
                if mayGrow { log.leaveOutUnsettledRows(of: text.table) }
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
