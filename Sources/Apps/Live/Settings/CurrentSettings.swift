import Signals
import Wire

/// The settings in use, and what is wrong with those that were read again.
struct CurrentSettings {
    private(set) var values: LiveSettings
    /// What is wrong with the settings that were read last, a fault each; empty when they are good.
    var issues: [String] = []
    /// Why the settings in use are not kept for a start with bad ones; nil where they are.
    var unkept: String?
    /// The keys of changed settings that need a restart.
    private(set) var waitingForStart: [String] = []

    /// The settings as clients are told them, each with where it is from.
    var reports: [SettingReport] { values.reports }

    init(_ values: LiveSettings) { self.values = values }

    /// All that is wrong with the settings, in words.
    var allIssues: [String] {
        let issue = unkept.map { "the settings in use cannot be kept for a start with bad ones, which would use earlier ones: \($0)" }
        return issues + (issue.map { [$0] } ?? [])
    }

    /// Takes over what can be changed of the settings `new` while thrumd plays. `keys` are the changed settings that need a restart.
    /// `knobs` are the knobs now. Returns the new knobs: a knob that somebody has turned keeps its value, unless its setting has changed.
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

    /// Returns reports of the new settings. Those of `keys` stay as they are, with what they will be; so does what is the card's.
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

/// A request to read the settings again.
public struct ReloadRequest: Sendable {
    public enum Outcome: Equatable, Sendable {
        case done(ReloadReport)
        /// Nothing has changed, because of these faults.
        case bad([String])
        /// Nothing has changed, because the daemon is to stop.
        case givenUp
    }

    /// Tells whoever asked the outcome. To be called once. Thread: any.
    public let answer: @Sendable (Outcome) -> Void

    public init(answer: @escaping @Sendable (Outcome) -> Void) { self.answer = answer }

    /// A request that nobody waits for, such as a signal.
    public static var signal: ReloadRequest { ReloadRequest { _ in } }
}
