import Experience
import Journal
import Signals
import SystemPackage

/// What is to be learned from a journal: all that the piece told, and what the session came to.
public struct TelemetryLog: Sendable {
    public let name: String
    public let declaration: Declaration
    /// In their order.
    public let announcements: [Announcement]
    /// Nil for a piece that counts nothing.
    public let record: Announcement?
    /// The line at which the session was cut off; nil if it ended as it should.
    public let cutLine: Int?
    /// The first line whose sum is wrong or missing; nil if none is known to be.
    public let changedLine: Int?
    /// Nil if it was cut off.
    public let end: SessionEnd?

    /// Goes through the whole journal, `-` being standard input. Throws `JournalFault`, also where the rules are not in this build, and
    /// `Errno`.
    public init(_ journal: FilePath, by rules: ReplayRules = .same, _ pieces: [any Experience.Type]) throws {
        precondition(rules != .recorded, "what is told follows from rules")
        var replay = try Replay(journal == "-" ? "/dev/stdin" : journal, by: rules, pieces)
        guard let declaration = replay.run?.declaration else { preconditionFailure("what is told follows from rules") }
        self.declaration = declaration
        let topics = Set(declaration.telemetry.compactMap(\.topic))
        var announcements: [Announcement] = []
        while try replay.step() != nil { announcements += replay.announcements.filter { topics.contains($0.topic) } }
        try replay.finish()
        self.announcements = announcements
        name = journal.stem ?? journal.string
        cutLine = replay.cutLine
        changedLine = replay.changedLine
        end = replay.end
        record = replay.record
    }
}
