import Experience
import Journal
import Signals
import SystemPackage

/// What is to be learned from a journal: what the piece told, and what the session came to.
public struct TelemetryLog: Sendable {
    public let name: String
    public let declaration: Declaration
    /// Those that were asked for, in their order.
    public let announcements: [Announcement]
    /// The place of the first of them among all, from 0, and how many there are in all.
    public let first: Int
    public let count: Int
    /// Nil for a piece that counts nothing.
    public let record: Announcement?
    /// The line at which the session was cut off; nil if it ended as it should.
    public let cutLine: Int?
    /// The first line whose sum is wrong or missing; nil if none is known to be.
    public let changedLine: Int?
    /// Nil if it was cut off.
    public let end: SessionEnd?

    /// Goes through the whole journal, `-` being standard input, and keeps the announcements that are the rows of `table`, or of any where
    /// it is nil, at the places `rows`. Throws `JournalFault`, also where the rules are not in this build, and `Errno`.
    public init(_ journal: FilePath, of table: TelemetryTable? = nil, rows: Range<Int> = 0..<Int.max, by rules: ReplayRules = .same,
                _ pieces: [any Experience.Type]) throws {
        precondition(rules != .recorded, "what is told follows from rules")
        var replay = try Replay(journal, by: rules, pieces)
        guard let declaration = replay.run?.declaration else { preconditionFailure("what is told follows from rules") }
        self.declaration = declaration
        let topics = Set((table.map { [$0] } ?? declaration.telemetry).compactMap(\.topic))
        var announcements: [Announcement] = []
        var count = 0
        while try replay.step() != nil {
            for announcement in replay.announcements where topics.contains(announcement.topic) {
                if rows.contains(count) { announcements.append(announcement) }
                count += 1
            }
        }
        try replay.finish()
        self.announcements = announcements
        first = rows.lowerBound
        self.count = count
        name = journal.stem ?? journal.string
        cutLine = replay.cutLine
        changedLine = replay.changedLine
        end = replay.end
        record = replay.record
    }
}
