import Signals
import Wire

/// The settings in use, and what is wrong with those that were read again.
struct CurrentSettings {
    private(set) var values: LiveSettings
    /// What is wrong with those that were read last, a fault each; empty when they are good.
    var issues: [String] = []
    /// Why they are not kept for a start with bad ones; nil where they are.
    var unkept: String?
    /// Keys of changed settings that need a restart.
    private(set) var waitingForStart: [String] = []

    /// Each setting and where it is from.
    var reports: [SettingReport] { values.reports }

    init(_ values: LiveSettings) { self.values = values }

    /// What is wrong with them, in words.
    var allIssues: [String] {
        let issue = unkept.map { "the settings in use cannot be kept for a start with bad ones, which would use earlier ones: \($0)" }
        return issues + (issue.map { [$0] } ?? [])
    }

    /// Takes over the settings that can be changed while it plays; `keys` are those that need a restart. `knobs` are the knobs now. Returns
    /// the new ones: a knob that somebody has turned stays, unless its setting has changed.
    mutating func take(_ new: LiveSettings, waitingForStart keys: [String], knobs: KnobSettings) -> KnobSettings {
        let knobs = new.knobs == values.knobs ? knobs : new.knobs
        issues = []
        waitingForStart = keys
        values.unreadableSounds = new.unreadableSounds
        values.knobs = new.knobs
        values.patterns = new.patterns
        values.kioskScreens = new.kioskScreens
        values.values.reload(from: new.values)
        values.reports = reports(from: new.reports, waitingForStart: keys)
        return knobs
    }

    /// Those of `keys` stay as they are, with what they will be; so does what is the card's.
    private func reports(from new: [SettingReport], waitingForStart keys: [String]) -> [SettingReport] {
        let current = Dictionary(uniqueKeysWithValues: values.reports.map { ($0.key, $0) })
        return new.map { report in
            guard var known = current[report.key] else { return report }
            if keys.contains(report.key) {
                known.next = report.value
                return known
            }
            // Nobody has set it since: it is still the card's.
            return known.source == .card && report.source == .default ? known : report
        }
    }
}
