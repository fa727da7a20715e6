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
    /// The place of the first of them among all, from 0, and how many there are in all.
    public let first: Int
    public let count: Int
    /// Nil for a piece that counts nothing.
    public let record: Announcement?
    /// The line at which the session was cut off; nil if it ended as it should.
    public let cutLine: Int?
    /// What the sums of all lines say.
    public let integrity: JournalIntegrity
    /// Whether lines are changed, or entries are missing, somewhere in it.
    public let isDamaged: Bool
    /// Nil if it was cut off.
    public let end: SessionEnd?

    /// Goes through the whole journal, and keeps the announcements that are the rows of `table`, or of any where it is nil, at the places
    /// `rows` and told within `cut`. `name` is the session's; nil for the file's without `.jsonl`. Throws `JournalFault`, also where the
    /// rules are not in this build, `Errno`, and a `Fault` where the session has no such cut.
    public init(_ journal: FilePath, named name: String? = nil, of table: TelemetryTable? = nil, rows: Range<Int> = 0..<Int.max,
                cut: SessionCut = .whole, by rules: ReplayRules = .same, _ pieces: [any Experience.Type]) throws {
        precondition(rules != .recorded, "what is told follows from rules")
        var replay = try Replay(journal, by: rules, pieces)
        guard let declaration = replay.run?.declaration else { preconditionFailure("what is told follows from rules") }
        self.declaration = declaration
        let topics = Set((table.map { [$0] } ?? declaration.telemetry).compactMap(\.topic))
        let rate = replay.header.sampleRate
        var told: [Row] = []
        var count = 0
        let part = try cut.events(of: journal, rate: rate)
        var before = 0
        while let frame = replay.nextFrame, try replay.step() != nil {
            for announcement in replay.announcements where topics.contains(announcement.topic) {
                let isInPart = part?.contains(frame) ?? true
                let row = Row(announcement: announcement, at: rate.seconds(in: frame - .zero), civilTime: replay.civilTime,
                              isBehindDamage: replay.isBehindDamage)
                if rows.contains(count), isInPart { told.append(row) }
                count += 1
                if !isInPart, told.isEmpty { before = count }
            }
        }
        try replay.finish()
        self.rows = told
        first = max(rows.lowerBound, before)
        self.count = count
        self.name = name ?? journal.stem ?? journal.string
        cutLine = replay.cutLine
        integrity = replay.integrity
        isDamaged = replay.integrity.line != nil || replay.lostEntries > 0
        end = replay.end
        record = replay.record
    }

    /// Without an end nobody knows yet whether the last rows are marked as such.
    mutating func leaveOutUnsettledRows(of table: TelemetryTable) {
        guard end == nil, let lastRows = table.lastRows else { return }
        rows = Array(rows.prefix(max(0, count - lastRows.count - first)))
    }
}
