import Signals
import Wire

/// The settings in use, and the faults of settings that were reread.
struct CurrentSettings {
    private(set) var values: LiveSettings
    /// The faults of the settings that were read last; empty when they are good.
    var issues: [String] = []
    /// Why the settings in use were not stored, so that a start with bad settings could not use them; nil where they were stored.
    var saveFailure: String?
    /// The keys of changed settings that need a restart.
    private(set) var waitingForStart: [String] = []

    /// The settings as clients get them, each with its source.
    var reports: [SettingReport] { values.reports }

    init(_ values: LiveSettings) { self.values = values }

    /// All faults of the settings, in words.
    var allIssues: [String] {
        let issue = saveFailure.map { "the settings in use cannot be kept for a start with bad ones, which would use earlier ones: \($0)" }
        return issues + (issue.map { [$0] } ?? [])
    }

    /// Takes over those of the settings `new` that may change while thrumd plays. `keys` are the changed settings that need a restart, and
    /// `knobs` are the present values of the knobs. Returns the new values: a knob that somebody has turned keeps its value, unless its
    /// setting has changed.
    mutating func take(_ new: LiveSettings, waitingForStart keys: [String], knobs: KnobSettings) -> KnobSettings {
        let knobs = new.knobs == values.knobs ? knobs : new.knobs
        issues = []
        waitingForStart = keys
        values.unreadableSounds = new.unreadableSounds
        values.knobs = new.knobs
        values.patterns = new.patterns
        // A piece that waits for a start has other models than the one that plays.
        if new.piece == values.piece { values.prediction = new.prediction }
        values.kioskScreens = new.kioskScreens
        values.values.reload(from: new.values)
        values.reports = reports(from: new.reports, waitingForStart: keys)
        return knobs
    }

    /// Returns reports of the new settings. The settings `keys` keep their value, and get the next one beside it. A setting whose value is
    /// the card's keeps that value.
    private func reports(from new: [SettingReport], waitingForStart keys: [String]) -> [SettingReport] {
        let current = Dictionary(uniqueKeysWithValues: values.reports.map { ($0.key, $0) })
        return new.map { report in
            guard var known = current[report.key] else { return report }
            if keys.contains(report.key) {
                known.next = report.value
                return known
            }
            // Nobody has set the value since: it is still the card's.
            return known.source == .card && report.source == .default ? known : report
        }
    }
}

/// A request to reread the settings.
public struct ReloadRequest: Sendable {
    public enum Outcome: Equatable, Sendable {
        case done(ReloadReport)
        /// Nothing has changed, because the settings have these faults.
        case bad([String])
        /// The request was not carried out, because the daemon is about to stop. Nothing has changed.
        case givenUp
    }

    /// Answers the request with its outcome. Must be called once. Thread: any.
    public let answer: @Sendable (Outcome) -> Void

    public init(answer: @escaping @Sendable (Outcome) -> Void) { self.answer = answer }

    /// A request whose outcome nobody waits for, such as a signal.
    public static var signal: ReloadRequest { ReloadRequest { _ in } }
}
