import Experience
import Fields
import Journal
import JournalFile
import Signals
import SystemPackage
import Units

/// The result of checking a journal against the rules of its piece: whether the rules give for its events the cues and log-odds that its
/// lines contain.
public enum RulesCheck: Equatable, Sendable {
    case same(experience: String, rules: Int)
    /// The cues or log-odds (prediction) on the line with this number are the first that differ from those of the rules, or the rules
    /// refuse its event.
    case different(line: Int)
    /// The result is unknown from the line with this number on, because entries are missing there.
    case unknown(line: Int)
    /// Nothing was compared, for this reason in words.
    case unchecked(String)

    public var isDifferent: Bool { if case .different = self { true } else { false } }

    /// Checks the whole journal against the rules, with the model `model`. Throws `Errno`. Throws `JournalFault` for a line that cannot be
    /// read, and for a model that is not the session's.
    public init(_ journal: FilePath, model: ReplayModel = .recorded, _ pieces: [any Experience.Type]) throws {
        var scan = try JournalScan(journal)
        let header = try scan.header()
        guard let rules = header.rules else {
            self = .unchecked("a journal of format version 1 has none")
            return
        }
        guard let piece = pieces.named(header.experience) else {
            self = .unchecked("this Thrum does not have the piece \(header.experience)")
            return
        }
        guard piece.declaration.rulesVersion == rules.version else {
            self = .unchecked("they are by version \(rules.version) of the rules of \(header.experience), and this Thrum has version "
                + "\(piece.declaration.rulesVersion)")
            return
        }
        var replay: Replay
        do {
            replay = try Replay(journal, by: .same.predicting(by: model), pieces)
        } catch let fault as JournalFault where fault.fault.field == ReplayModel.field {
            guard model == .recorded else { throw fault }
            self = .unchecked("\(fault.fault)")
            return
        } catch let fault as JournalFault where fault.line == 1 {
            self = .different(line: 1)
            return
        }
        guard Self.text(replay.opening) == Self.text(rules.opening) else {
            self = .different(line: 1)
            return
        }
        while replay.nextFrame != nil {
            let cues: [Cue]?
            do {
                cues = try replay.step()
            } catch let fault as JournalFault where fault.line == replay.line {
                self = .different(line: fault.line)
                return
            }
            guard replay.lostEntries == 0 else {
                self = .unknown(line: replay.line)
                return
            }
            let given = JournalEntry.Outcome(cues: cues ?? [], logOdds: replay.logOdds)
            guard case .event(let event, let frame, let due, let recorded)? = replay.recorded,
                  recorded ?? JournalEntry.Outcome(cues: []) != given else { continue }
            // As the journal spells them: what rounding does to both is no difference.
            if JournalLine.encode(.event(event, at: frame, due: due, gave: given))
                != JournalLine.encode(.event(event, at: frame, due: due, gave: recorded)) {
                self = .different(line: replay.line)
                return
            }
        }
        try replay.finish()
        self = .same(experience: header.experience, rules: rules.version)
    }

    private static func text(_ opening: [Cue]) -> [UInt8] {
        JournalLine.encode(.event(Event(client: .engine, .stop), at: .zero, cues: opening))
    }
}
