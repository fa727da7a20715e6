import Experience
import Journal
import JournalFile
import SystemPackage

/// A journal as an export takes it: what it tells, and what people are to know of it.
public struct TelemetryReading: Sendable {
    /// Nil if the journal is left out.
    public let log: TelemetryLog?
    /// The piece that the session is of, where it is left out because of that.
    public let otherPiece: String?
    /// Sentences, each beginning with the journal's name.
    public let notes: [String]

    /// Goes through the whole journal, and keeps its rows told within `cut`. `name` is what people call it, and `session` what tables do.
    /// A journal of another piece than `experience` is left out.
    public init(_ journal: FilePath, named name: String, session: String, for text: TelemetryText, cut: SessionCut = .whole,
                of experience: String, by rules: ReplayRules = .same, _ pieces: [any Experience.Type]) {
        self.init(named: name, of: experience) {
            var scan = try JournalScan(journal)
            let piece = try scan.header().experience
            guard piece == experience else { throw TelemetryPage.OtherPiece(name: piece) }
            return try TelemetryLog(journal, named: session, of: text.table, cut: cut, by: rules, pieces)
        }
    }

    /// Takes the log that `read` returns. One of a journal that `mayGrow` needs no end. `read` throws `TelemetryPage.OtherPiece` for a
    /// journal of another piece than `experience`, and what is wrong with the journal.
    init(named name: String, mayGrow: Bool = false, of experience: String, _ read: () throws -> TelemetryLog) {
        do {
            let log = try read()
            var notes: [String] = []
            if let line = log.cutLine, !mayGrow {
                notes.append("\(name):\(line): warning: the session was cut off here; exported up to the cut")
            }
            if let warning = log.integrity.warning(name) { notes.append(warning) }
            self.log = log
            otherPiece = nil
            self.notes = notes
        } catch let other as TelemetryPage.OtherPiece {
            log = nil
            otherPiece = other.name
            notes = ["\(name): the experience is \(other.name), not \(experience); left out"]
        } catch {
            let reason = (error as? JournalFault)?.description(file: name) ?? "\(name): \(error)"
            log = nil
            otherPiece = nil
            notes = [reason + "; left out"]
        }
    }
}
