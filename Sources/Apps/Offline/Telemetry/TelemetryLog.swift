import Calendar
import Experience
import Journal
import Signals
import SystemPackage
import Units

/// The telemetry of a journal: the piece's announcements, and the record of the session.
public struct TelemetryLog: Sendable {
    /// An announcement of the piece, and its time.
    public struct Row: Equatable, Sendable {
        public var announcement: Announcement
        /// The time since the session's start.
        public var at: Seconds
        /// The civil time; nil where the journal does not contain it.
        public var civilTime: CivilTime?
        /// Whether the journal is damaged before the row: lines are missing or were changed. Then the row may not have been announced in
        /// the session.
        public var isBehindDamage: Bool
    }

    /// The name of the session, as tables have it.
    public let name: String
    public let declaration: Declaration
    /// The requested rows, in order.
    public let rows: [Row]
    /// The index of the first requested row among all rows, from 0.
    public let first: Int
    /// The facts that follow from the whole journal.
    let whole: Whole

    struct Whole: Sendable {
        let count: Int
        /// The indices of the rows with which a visit begins anew, ascending.
        let resets: [Int]
        let record: Announcement?
        let cutLine: Int?
        let integrity: JournalIntegrity
        let isDamaged: Bool
        let end: SessionEnd?
        /// The fingerprint of the box that signs the journal; nil where it is not signed.
        let station: String?
        let seed: UInt64

        /// Sums up a journal that has been read to its end.
        init(_ fold: TelemetryFold, cutLine: Int?, _ integrity: JournalIntegrity) {
            count = fold.count
            resets = fold.resets
            record = fold.replay.record
            self.cutLine = cutLine
            self.integrity = integrity
            isDamaged = integrity.line != nil || fold.replay.lostEntries > 0
            end = fold.replay.end
            station = fold.replay.header.signed?.box
            seed = fold.replay.header.seed
        }
    }

    /// The number of rows in all.
    public var count: Int { whole.count }
    /// The record of the session; nil for a piece that counts nothing.
    public var record: Announcement? { whole.record }
    /// The line at which the session was cut off; nil if it ended as it should.
    public var cutLine: Int? { whole.cutLine }
    /// The integrity of all lines according to their checksums.
    public var integrity: JournalIntegrity { whole.integrity }
    /// Whether lines of the journal were changed, or entries are missing.
    public var isDamaged: Bool { whole.isDamaged }
    /// The session's end; nil if it was cut off.
    public var end: SessionEnd? { whole.end }

    /// Reads the whole journal. Keeps the announcements that are rows of `table`, or of all tables where `table` is nil, if their index is
    /// in `rows` and they are within `cut`. `name` is the session's name; where it is nil, it is the file's name without `.jsonl`. Throws
    /// `JournalFault`, also where this build does not have the rules; `Errno`; and a `Fault` where the session does not have the cut.
    public init(_ journal: FilePath, named name: String? = nil, of table: TelemetryTable? = nil, rows: Range<Int> = 0..<Int.max,
                cut: SessionCut = .whole, by rules: ReplayRules = .same, _ pieces: [any Experience.Type]) throws {
        let feed = JournalFeed(journal)
        guard case .header(let header)? = try feed.next() else { preconditionFailure("the first line is a header or a fault") }
        var fold = try TelemetryFold(header, in: journal, of: table, by: rules, pieces)
        let part = try cut.events(of: journal, rate: header.sampleRate)
        var found: [Row] = []
        var before = 0
        while let entry = try feed.next() {
            let index = fold.count
            let rowsOfEntry = try fold.take(entry, line: feed.line, isChanged: feed.isChanged)
            guard !rowsOfEntry.isEmpty else { continue }
            if part?.contains(entry.frame) ?? true {
                for (offset, row) in rowsOfEntry.enumerated() where rows.contains(index + offset) { found.append(row) }
            } else if found.isEmpty {
                before = fold.count
            }
        }
        let cutLine: Int? = if case .cut(let line)? = feed.ending { line } else { nil }
        self.init(name ?? journal.stem ?? journal.string, found, first: max(rows.lowerBound, before), of: fold.declaration,
                  Whole(fold, cutLine: cutLine, feed.integrity))
    }

    init(_ name: String, _ rows: [Row], first: Int, of declaration: Declaration, _ whole: Whole) {
        self.name = name
        self.declaration = declaration
        self.rows = rows
        self.first = first
        self.whole = whole
    }

    /// Returns whether the visitor left within `reach` rows after row `index`, counted from 0 among all rows. Nil where that is
    /// unknown, because the visit did not end with the visitor's leaving.
    func isLeaving(at index: Int, within reach: Int) -> Bool? {
        let reset = whole.resets.first { $0 > index }
        if index < (reset ?? count) - reach { return false }
        // Where something else than the visitor ended the visit, nobody knows.
        return reset == nil && end?.isLeaving == true ? true : nil
    }
}

/// Turns a journal's entries into rows of tables, one entry after the other. A plain value, like `ReplayFold`.
struct TelemetryFold: Sendable {
    private(set) var replay: ReplayFold
    let declaration: Declaration
    /// The number of rows so far.
    private(set) var count = 0
    /// The indices of the rows with which a visit begins anew, ascending.
    private(set) var resets: [Int] = []
    private let topics: Set<String>
    /// The topic of the announcement that begins a visit anew; nil where the table has none.
    private let reset: String?

    /// Starts with the journal at `path`, for the rows of `table`, or of all tables of the piece where it is nil. Throws `JournalFault`
    /// where this build does not have the rules, or their model is missing.
    init(_ header: JournalHeader, in path: FilePath, of table: TelemetryTable?, by rules: ReplayRules,
         _ pieces: [any Experience.Type]) throws(JournalFault) {
        precondition(!rules.needNone, "what is told follows from rules")
        replay = try ReplayFold(header, of: path, by: rules, pieces)
        guard let declaration = replay.run?.declaration else { preconditionFailure("what is told follows from rules") }
        self.declaration = declaration
        topics = Set((table.map { [$0] } ?? declaration.telemetry).compactMap(\.topic))
        reset = table?.lastRows?.reset
    }

    /// Returns the rows that `entry`, on line number `line`, adds to the table. `isChanged` says whether this line, or one above it, was
    /// changed. Throws `JournalFault`.
    mutating func take(_ entry: JournalEntry, line: Int, isChanged: Bool) throws(JournalFault) -> [TelemetryLog.Row] {
        _ = try replay.take(entry, line: line, isChanged: isChanged)
        guard replay.announcements.contains(where: { topics.contains($0.topic) || $0.topic == reset }) else { return [] }
        let at = replay.header.sampleRate.seconds(in: entry.frame - .zero)
        var newRows: [TelemetryLog.Row] = []
        for announcement in replay.announcements {
            // Between two resets without a row there is nothing to tell apart.
            if announcement.topic == reset, resets.last != count + newRows.count { resets.append(count + newRows.count) }
            guard topics.contains(announcement.topic) else { continue }
            newRows.append(TelemetryLog.Row(announcement: announcement, at: at, civilTime: replay.civilTime,
                                         isBehindDamage: replay.isBehindDamage))
        }
        count += newRows.count
        return newRows
    }
}
