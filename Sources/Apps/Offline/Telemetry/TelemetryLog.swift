import Journal
import Signals
import SystemPackage

/// What is to be learned from a journal: every scroll, whether the visitor was about to leave then, and what the session came to.
public struct TelemetryLog: Sendable {
    public struct Scroll: Equatable, Sendable {
        public var record: ScrollRecord
        /// Whether it is among the last of its session; nil where the session was cut off, so that nobody knows.
        public var isChurn: Bool?
    }

    /// So many scrolls before a session's end count as leaving.
    public static let churnReach = 5

    public let name: String
    public let experience: String
    public let scrolls: [Scroll]
    /// Nil for an experience that counts nothing.
    public let session: SessionRecord?
    /// The line at which the session was cut off; nil if it ended as it should.
    public let cutLine: Int?
    /// The first line whose sum is wrong or missing; nil if none is known to be.
    public let changedLine: Int?
    /// Nil if it was cut off.
    public let end: SessionEnd?

    /// Goes through the whole journal, `-` being standard input. Throws `JournalFault` and `Errno`.
    public init(_ journal: FilePath, by rules: ReplayRules = .same) throws {
        var replay = try Replay(journal == "-" ? "/dev/stdin" : journal, by: rules)
        var records: [ScrollRecord] = []
        while let cues = try replay.step() {
            for case .tell(.scroll(let record)) in cues { records.append(record) }
        }
        try replay.finish()
        name = journal.stem ?? journal.string
        experience = replay.header.experience
        cutLine = replay.cutLine
        changedLine = replay.changedLine
        end = replay.end
        let isWhole = end != nil
        let first = records.count - Self.churnReach
        scrolls = records.enumerated().map { Scroll(record: $1, isChurn: $0 < first ? false : isWhole ? true : nil) }
        session = replay.record
    }
}
