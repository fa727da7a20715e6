import Experience
import Fields
import Journal
import Registry
import Signals

/// By which rules a journal is gone through again.
public enum ReplayRules: Sendable {
    /// By none: the cues are those of the journal's lines, whatever piece it is of. A journal of version 1 has no cues, so it is gone
    /// through as with `same`.
    case recorded
    /// By those that the session was played by, which this build must have.
    case same
    /// By those of this build, whatever their version.
    case today

    /// Of a journal of version 1: that is what the rules were then.
    private static let first = 1

    /// As new; nil where no rules are needed. Throws `JournalFault` where this build does not have the rules.
    func experience(of header: JournalHeader) throws(JournalFault) -> (any Experience)? {
        if case .recorded = self, header.rules != nil { return nil }
        guard let name = ExperienceName(rawValue: header.experience) else {
            let known = ExperienceName.allCases.map(\.rawValue).joined(separator: ", ")
            throw Self.fault("experience", "one of \(known), whose rules this Thrum has", found: "\"\(header.experience)\"")
        }
        let version = header.rules?.version ?? Self.first
        if version != name.rulesVersion, self != .today {
            let expected = "\(name.rulesVersion), the version of the rules of \(header.experience) in this Thrum; --rules today takes them"
            throw Self.fault("rules", expected, found: "\(version)")
        }
        return name.make(theme: header.theme, seed: header.seed, rate: header.sampleRate, tuning: header.tuning)
    }

    /// The header is the first line.
    private static func fault(_ field: String, _ expected: String, found: String) -> JournalFault {
        JournalFault(line: 1, fault: Fault(field: field, expected: expected, found: found))
    }
}
