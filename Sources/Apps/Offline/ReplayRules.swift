import Experience
import Fields
import Journal
import Signals

/// By which rules a journal is gone through again.
public enum ReplayRules: Equatable, Sendable {
    /// By none: the cues are those of the journal's lines, whatever piece it is of. A journal of version 1 has no cues, so it is gone
    /// through as with `same`.
    case recorded
    /// By those that the session was played by, which this build must have.
    case same
    /// By those of this build, whatever their version.
    case today
    /// By those that the session was played by, or by today's, but in this theme from beginning to end: other themes that came during the
    /// session are passed over.
    case themed(Theme, today: Bool)

    private var takesToday: Bool {
        switch self {
        case .today, .themed(_, today: true): true
        case .recorded, .same, .themed: false
        }
    }

    /// Of a journal of version 1: that is what the rules were then.
    private static let first = 1

    /// As new; nil where no rules are needed. Throws `JournalFault` where none of `pieces` has the rules.
    func run(of header: JournalHeader, _ pieces: [any Experience.Type]) throws(JournalFault) -> Run? {
        if case .recorded = self, header.rules != nil { return nil }
        guard let piece = pieces.named(header.experience) else {
            let known = pieces.map { $0.declaration.name }.joined(separator: ", ")
            throw Self.fault("experience", "one of \(known), whose rules this Thrum has", found: "\"\(header.experience)\"")
        }
        let version = header.rules?.version ?? Self.first
        let own = piece.declaration.rulesVersion
        if version != own, !takesToday {
            let expected = "\(own), the version of the rules of \(header.experience) in this Thrum; --rules today takes them"
            throw Self.fault("rules", expected, found: "\(version)")
        }
        do throws(Fault) {
            try header.knobs.check(piece.declaration.knobs)
        } catch {
            throw Self.fault("tuning." + error.field, error.expected, found: error.found ?? "nothing")
        }
        return Run(piece, Opening(theme: header.theme, seed: header.seed, rate: header.sampleRate, knobs: header.knobs))
    }

    /// The header is the first line.
    private static func fault(_ field: String, _ expected: String, found: String) -> JournalFault {
        JournalFault(line: 1, fault: Fault(field: field, expected: expected, found: found))
    }
}
