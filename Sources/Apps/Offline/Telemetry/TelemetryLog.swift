import Experience
import Journal
import Signals
import SystemPackage
import Units

/// What is to be learned from a journal: what the piece told, and what the session came to.
public struct TelemetryLog: Sendable {
    public let name: String
    public let declaration: Declaration
    /// Those that were asked for, in their order.
    public private(set) var announcements: [Announcement]
    /// The place of the first of them among all, from 0, and how many there are in all.
    public let first: Int
    public let count: Int
    /// Nil for a piece that counts nothing.
    public let record: Announcement?
    /// The line at which the session was cut off; nil if it ended as it should.
    public let cutLine: Int?
    /// What the sums of all lines say.
    public let integrity: JournalIntegrity
    /// Nil if it was cut off.
    public let end: SessionEnd?

    /// Goes through the whole journal, and keeps the announcements that are the rows of `table`, or of any where it is nil, at the places
    /// `rows` and told within `cut`. Throws `JournalFault`, also where the rules are not in this build, `Errno`, and a `Fault` where the
    /// session has no such cut.
    public init(_ journal: FilePath, of table: TelemetryTable? = nil, rows: Range<Int> = 0..<Int.max, cut: SessionCut = .whole,
                by rules: ReplayRules = .same, _ pieces: [any Experience.Type]) throws {
        precondition(rules != .recorded, "what is told follows from rules")
        var replay = try Replay(journal, by: rules, pieces)
        guard let declaration = replay.run?.declaration else { preconditionFailure("what is told follows from rules") }
        self.declaration = declaration
        let topics = Set((table.map { [$0] } ?? declaration.telemetry).compactMap(\.topic))
        var announcements: [Announcement] = []
        var count = 0
        let part = try Self.part(of: journal, cut, replay.header.sampleRate)
        var before = 0
        while let frame = replay.nextFrame, try replay.step() != nil {
            for announcement in replay.announcements where topics.contains(announcement.topic) {
                let isInPart = part?.contains(frame) ?? true
                if rows.contains(count), isInPart { announcements.append(announcement) }
                count += 1
                if !isInPart, announcements.isEmpty { before = count }
            }
        }
        try replay.finish()
        self.announcements = announcements
        first = max(rows.lowerBound, before)
        self.count = count
        name = journal.stem ?? journal.string
        cutLine = replay.cutLine
        integrity = replay.integrity
        end = replay.end
        record = replay.record
    }

    /// Without an end nobody knows yet whether the last rows are marked as such.
    mutating func leaveOutUnsettledRows(of table: TelemetryTable) {
        guard end == nil, let lastRows = table.lastRows else { return }
        announcements = Array(announcements.prefix(max(0, count - lastRows.count - first)))
    }

    /// Nil for the whole session, to which belongs also what is told at its very end.
    private static func part(of journal: FilePath, _ cut: SessionCut, _ rate: SampleRate) throws -> Range<Frame>? {
        guard cut != .whole else { return nil }
        let length = try SessionLength(of: journal, rate: rate).frames
        let part = try cut.frames(of: journal, rate: rate, length: length)
        return part.upperBound == Frame(length.rawValue) ? part.lowerBound..<(part.upperBound + FrameCount(1)) : part
    }
}
