import Experience
import Journal
import Units

/// The rows of tables while a journal is gone through, entry by entry. A plain value, as `ReplayFold`.
struct TelemetryFold: Sendable {
    private(set) var replay: ReplayFold
    let declaration: Declaration
    /// Rows so far.
    private(set) var count = 0
    private let topics: Set<String>

    /// Of `table`, or of all that the piece has where it is nil. Throws `JournalFault` where the rules are not in this build.
    init(_ header: JournalHeader, of table: TelemetryTable?, by rules: ReplayRules, _ pieces: [any Experience.Type]) throws(JournalFault) {
        precondition(rules != .recorded, "what is told follows from rules")
        replay = try ReplayFold(header, by: rules, pieces)
        guard let declaration = replay.run?.declaration else { preconditionFailure("what is told follows from rules") }
        self.declaration = declaration
        topics = Set((table.map { [$0] } ?? declaration.telemetry).compactMap(\.topic))
    }

    /// The rows that were told because of the entry of the line `line`. `isChanged` is as `ReplayFold` has it. Throws `JournalFault`.
    mutating func take(_ entry: JournalEntry, line: Int, isChanged: Bool) throws(JournalFault) -> [TelemetryLog.Row] {
        _ = try replay.take(entry, line: line, isChanged: isChanged)
        guard replay.announcements.contains(where: { topics.contains($0.topic) }) else { return [] }
        let at = replay.header.sampleRate.seconds(in: entry.frame - .zero)
        let told = replay.announcements.filter { topics.contains($0.topic) }.map { announcement in
            TelemetryLog.Row(announcement: announcement, at: at, civilTime: replay.civilTime, isBehindDamage: replay.isBehindDamage)
        }
        count += told.count
        return told
    }
}
