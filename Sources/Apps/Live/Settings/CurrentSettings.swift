import Signals

/// The settings that count, and what is to be said about those that were read again.
struct CurrentSettings {
    private(set) var values: LiveSettings
    /// What is wrong with those that were read last; nil when they are good.
    var issue: String?
    /// Keys that were changed and count from the next start on.
    private(set) var waitingForStart: [String] = []

    init(_ values: LiveSettings) { self.values = values }

    /// Takes over what can be changed while it plays; the rest, `keys`, is as it was until the next start. `knobs` is how the knobs stand.
    /// Returns how they are to stand: knobs that somebody has turned stay as they are while the settings say what they said.
    mutating func take(_ new: LiveSettings, waitingForStart keys: [String], knobs: KnobSettings) -> KnobSettings {
        let knobs = new.knobs == values.knobs ? knobs : new.knobs
        issue = nil
        waitingForStart = keys
        values.unreadableSounds = new.unreadableSounds
        values.knobs = new.knobs
        values.values.reload(from: new.values)
        return knobs
    }
}
