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

    /// Goes through the whole journal, and keeps its rows at the places `rows` and told within `cut`. `name` is what people call it, and
    /// `session` what tables do; nil for the file's name without `.jsonl`. A journal of another piece than `experience` is left out. One
    /// that `mayGrow` needs no end.
    public init(_ journal: FilePath, named name: String, session: String? = nil, for text: TelemetryText, rows: Range<Int> = 0..<Int.max,
                cut: SessionCut = .whole, mayGrow: Bool = false, of experience: String, by rules: ReplayRules = .same,
                _ pieces: [any Experience.Type]) {
        do {
            var scan = try JournalScan(journal)
            let piece = try scan.header().experience
            guard piece == experience else {
                self.log = nil
                otherPiece = piece
                self.notes = ["\(name): the experience is \(piece), not \(experience); left out"]
                return
            }
            let log = try TelemetryLog(journal, named: session, of: text.table, rows: rows, cut: cut, by: rules, pieces)
            var notes: [String] = []
            if let line = log.cutLine, !mayGrow {
                notes.append("\(name):\(line): warning: the session was cut off here; exported up to the cut")
            }
            if let warning = log.integrity.warning(name) { notes.append(warning) }
            self.log = log
            otherPiece = nil
            self.notes = notes
        } catch {
            let reason = (error as? JournalFault)?.description(file: name) ?? "\(name): \(error)"
            log = nil
            otherPiece = nil
            notes = [reason + "; left out"]
        }
    }
}
