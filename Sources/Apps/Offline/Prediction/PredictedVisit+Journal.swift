import Experience
import Fields
import Journal
import Signals
import SystemPackage
import Units

extension PredictedVisit {
    /// Replays a recorded session by the rules `rules`. Returns its visits with their predictions: one visit, and one more for each time
    /// that the piece began a visit anew. Throws `Errno` and `JournalFault`, also where this build lacks the rules or the model is missing.
    public static func recorded(in journal: FilePath, by rules: ReplayRules, _ practice: PredictionPractice,
                                _ pieces: [any Experience.Type]) throws -> [PredictedVisit] {
        var replay = try Replay(journal, by: rules, pieces)
        var visits = VisitsOfSession(of: replay.run?.declaration, practice, replay.header.sampleRate)
        while try replay.step() != nil { visits.note(replay.recorded, logOdds: replay.logOdds, replay.announcements) }
        try replay.finish()
        return visits.ended(by: replay.end)
    }

    /// Goes through a recorded session as if `model` had predicted it, by the rules of this build. The visitor's events stay as they were,
    /// but the piece gives the visitor what `model` calls for. Returns its visits, as `recorded(in:by:_:_:)` does. Throws `JournalFault`
    /// and `Errno`.
    public static func recorded(in journal: FilePath, predictedBy model: PredictionModel, _ practice: PredictionPractice,
                                _ piece: any Experience.Type) throws -> [PredictedVisit] {
        let feed = JournalFeed(journal)
        guard case .header(let header)? = try feed.next() else { preconditionFailure("the first line is a header or a fault") }
        var run = Run(piece, Opening(theme: header.theme, seed: header.seed, rate: header.sampleRate, knobs: header.knobs, model: model))
        var visits = VisitsOfSession(of: piece.declaration, practice, header.sampleRate)
        var sessionEnd: SessionEnd?
        while let entry = try feed.next() {
            switch entry {
            case .event(let event, let frame, let due, _):
                // With other gifts before it, an event may be one that the piece refuses.
                guard let admitted = try? run.admit(event, at: due ?? frame) else { continue }
                let effects = run.act(on: admitted, at: due ?? frame)
                visits.note(entry, logOdds: effects.logOdds, effects.announcements)
            case .discontinuity(.lost, let frame): _ = run.releaseAll(at: frame)
            case .end(let end, _): sessionEnd = end
            case .header, .discontinuity, .checkpoint: break
            }
        }
        return visits.ended(by: sessionEnd)
    }
}

/// Collects the visits of a session from the results of its events.
private struct VisitsOfSession {
    private var visits = [PredictedVisit()]
    /// The start of the last visit, in seconds since the session's start.
    private var start = 0.0
    /// The topics of the announcements that begin a visit anew.
    private let resets: Set<String>
    private let practice: PredictionPractice
    private let rate: SampleRate

    init(of piece: Declaration?, _ practice: PredictionPractice, _ rate: SampleRate) {
        resets = Set(piece?.telemetry.compactMap { $0.lastRows?.reset } ?? [])
        self.practice = practice
        self.rate = rate
    }

    /// Adds what an event of the session has brought: the model's `logOdds` (log-odds of leaving; nil where it gave none) and the
    /// `announcements`.
    mutating func note(_ entry: JournalEntry?, logOdds: Double?, _ announcements: [Announcement]) {
        guard case .event(let event, let frame, let due, _)? = entry, event.client != .engine else { return }
        let now = rate.seconds(in: (due ?? frame) - .zero).rawValue
        if announcements.contains(where: { resets.contains($0.topic) }) {
            visits.append(PredictedVisit())
            start = now
        }
        visits[visits.count - 1].seconds = now - start
        if announcements.contains(where: practice.isHeldOut) { visits[visits.count - 1].isHeldOut = true }
        guard let logOdds else { return }
        visits[visits.count - 1].moments.append(
            PredictedVisit.Moment(logOdds: logOdds, isStep: announcements.contains(where: practice.isStep)))
    }

    /// Returns the visits of a session that ended with `end`; `end` is nil where the session was cut off. Only the last visitor can have
    /// left by themselves: earlier visits were cut short.
    func ended(by end: SessionEnd?) -> [PredictedVisit] {
        var visits = visits
        visits[visits.count - 1].hasLeft = end?.isLeaving ?? false
        // Before, between and after resets there may have been nobody.
        return visits.count == 1 ? visits : visits.filter { !$0.moments.isEmpty }
    }
}

/// The results of predictions in recorded sessions. Whether the visitors liked being there is not known.
public struct RecordedFigures: Equatable, Encodable, Sendable {
    /// The number of visits. A session has several where the piece began anew during it.
    public var visits: Int
    /// The number of visits that ended for another reason than that the visitor left. It is not known whether these visitors were about to
    /// leave.
    public var censored: Int
    /// The number of visits that were held out: drawn by chance as visits in which the piece must not step in. They are left out of
    /// `steps`, `leadOfFirst` and `felt`.
    public var heldOut: Int
    public var moments: Int
    /// The mean number of times in a visit that the piece stepped in because its model called for it.
    public var steps: Estimate?
    /// The number of moments (predictions) from the first time that the piece stepped in to the end of the visit. It is the median over
    /// those visitors who left and in whose visit the piece stepped in.
    public var leadOfFirst: Double?
    /// Among the visitors who left, the fraction in whose visit the piece stepped in `reach` or more moments (predictions) before the end.
    public var felt: Estimate?
    public var skill: PredictionSkill

    public init(_ visits: [PredictedVisit], reach: Int) {
        let decided = visits.filter { !$0.isHeldOut }
        let left = decided.filter { $0.hasLeft && !$0.moments.isEmpty }
        self.visits = visits.count
        censored = visits.count { !$0.hasLeft }
        heldOut = visits.count - decided.count
        moments = visits.reduce(0) { $0 + $1.moments.count }
        steps = .mean(decided.map { Double($0.steps) })
        leadOfFirst = PredictionFigures.median(left.compactMap(\.momentsAfterFirstStep).map(Double.init))
        felt = .share(left.count { ($0.momentsAfterFirstStep ?? 0) >= reach }, of: left.count)
        skill = PredictionSkill(visits, reach: reach)
    }
}
