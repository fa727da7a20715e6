import Signals

/// The settings in use, and what is wrong with those that were read again.
struct CurrentSettings {
    private(set) var values: LiveSettings
    /// What is wrong with those that were read last; nil when they are good.
    var issue: String?
    /// Keys of changed settings that need a restart.
    private(set) var waitingForStart: [String] = []

    init(_ values: LiveSettings) { self.values = values }

    /// Takes over the settings that can be changed while it plays; `keys` are those that need a restart. `knobs` are the knobs now. Returns
    /// the new ones: a knob that somebody has turned stays, unless its setting has changed.
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
