import Calendar
import Experience
import Journal
import Signals
import SystemPackage
import Units

/// What is to be learned from a journal: what the piece told, and what the session came to.
public struct TelemetryLog: Sendable {
    /// What the piece told, and when.
    public struct Row: Equatable, Sendable {
        public var announcement: Announcement
        /// Since the session's start.
        public var at: Seconds
        /// Nil where the journal does not say.
        public var civilTime: CivilTime?
        /// Whether it follows from lines behind a damage: something above it is missing or changed, so it may not have been told.
        public var isBehindDamage: Bool
    }

    /// The session's, as tables have it.
    public let name: String
    public let declaration: Declaration
    /// Those that were asked for, in their order.
    public private(set) var rows: [Row]
    /// The place of the first of them among all, from 0.
    public let first: Int
    /// What follows from all of the journal.
    let whole: Whole

    struct Whole: Sendable {
        let count: Int
        let record: Announcement?
        let cutLine: Int?
        let integrity: JournalIntegrity
        let isDamaged: Bool
        let end: SessionEnd?

        /// Of a journal that was gone through to its end.
        init(_ fold: TelemetryFold, cutLine: Int?, _ integrity: JournalIntegrity) {
            count = fold.count
            record = fold.replay.record
            self.cutLine = cutLine
            self.integrity = integrity
            isDamaged = integrity.line != nil || fold.replay.lostEntries > 0
            end = fold.replay.end
        }
    }

    /// How many rows there are in all.
    public var count: Int { whole.count }
    /// Nil for a piece that counts nothing.
    public var record: Announcement? { whole.record }
    /// The line at which the session was cut off; nil if it ended as it should.
    public var cutLine: Int? { whole.cutLine }
    /// What the sums of all lines say.
    public var integrity: JournalIntegrity { whole.integrity }
    /// Whether lines are changed, or entries are missing, somewhere in it.
    public var isDamaged: Bool { whole.isDamaged }
    /// Nil if it was cut off.
    public var end: SessionEnd? { whole.end }

    /// Goes through the whole journal, and keeps the announcements that are the rows of `table`, or of any where it is nil, at the places
    /// `rows` and told within `cut`. `name` is the session's; nil for the file's without `.jsonl`. Throws `JournalFault`, also where the
    /// rules are not in this build, `Errno`, and a `Fault` where the session has no such cut.
    public init(_ journal: FilePath, named name: String? = nil, of table: TelemetryTable? = nil, rows: Range<Int> = 0..<Int.max,
                cut: SessionCut = .whole, by rules: ReplayRules = .same, _ pieces: [any Experience.Type]) throws {
        let feed = JournalFeed(journal)
        guard case .header(let header)? = try feed.next() else { preconditionFailure("the first line is a header or a fault") }
        var fold = try TelemetryFold(header, of: table, by: rules, pieces)
        let part = try cut.events(of: journal, rate: header.sampleRate)
        var told: [Row] = []
        var before = 0
        while let entry = try feed.next() {
            let place = fold.count
            let rowsOfEntry = try fold.take(entry, line: feed.line, isChanged: feed.isChanged)
            guard !rowsOfEntry.isEmpty else { continue }
            if part?.contains(entry.frame) ?? true {
                for (offset, row) in rowsOfEntry.enumerated() where rows.contains(place + offset) { told.append(row) }
            } else if told.isEmpty {
                before = fold.count
            }
        }
        let cutLine: Int? = if case .cut(let line)? = feed.ending { line } else { nil }
        self.init(name ?? journal.stem ?? journal.string, told, first: max(rows.lowerBound, before), of: fold.declaration,
                  Whole(fold, cutLine: cutLine, feed.integrity))
    }

    init(_ name: String, _ rows: [Row], first: Int, of declaration: Declaration, _ whole: Whole) {
        self.name = name
        self.declaration = declaration
        self.rows = rows
        self.first = first
        self.whole = whole
    }

    /// Without an end nobody knows yet whether the last rows are marked as such.
    mutating func leaveOutUnsettledRows(of table: TelemetryTable) {
        guard end == nil, let lastRows = table.lastRows else { return }
        rows = Array(rows.prefix(max(0, count - lastRows.count - first)))
    }
}
