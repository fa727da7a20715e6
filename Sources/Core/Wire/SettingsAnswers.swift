/// A setting of the daemon as it is in use.
public struct SettingReport: Codable, Equatable, Sendable {
    public enum Source: String, CaseIterable, Codable, Sendable {
        case `default`, file, variable, flag
        /// Somebody has changed it while the daemon ran.
        case hand
        /// The sound card has it, and nothing else was set.
        case card
        /// The settings are bad, and those that were good last are used.
        case lastGood = "last-good"
    }

    /// When a change of it counts.
    public enum Effect: String, CaseIterable, Codable, Sendable {
        case start, reload
    }

    public var key: String
    /// As a settings file has it. Of a setting that is not given: its default, in words.
    public var value: String
    public var unit: String?
    public var source: Source
    /// The file and its line, the variable, the flag, the card, or the file of the last good settings; nil for a default, and for what was
    /// changed by hand.
    public var place: String?
    public var effect: Effect
    /// What it will be from the next start on; nil when that is what it is.
    public var next: String?

    public init(key: String, value: String, unit: String?, source: Source, place: String?, effect: Effect, next: String? = nil) {
        self.key = key
        self.value = value
        self.unit = unit
        self.source = source
        self.place = place
        self.effect = effect
        self.next = next
    }
}

/// The answer to `clock.accept`.
public struct ClockReport: Codable, Equatable, Sendable {
    /// Of the house from now on, in seconds since 1970-01-01 in UTC.
    public var time: Double
    /// By how much that is later than before, in seconds; negative where it is earlier.
    public var jump: Double

    public init(time: Double, jump: Double) {
        self.time = time
        self.jump = jump
    }
}

/// The answer to `setting.list`.
public struct SettingList: Codable, Equatable, Sendable {
    /// In the order of docs/configuration.md.
    public var settings: [SettingReport]

    public init(settings: [SettingReport]) { self.settings = settings }
}

/// The answer to `setting.reload`: what came of reading the settings again.
public struct ReloadReport: Codable, Equatable, Sendable {
    public struct Change: Codable, Equatable, Sendable {
        public var key: String
        /// Before.
        public var former: String
        /// The same as before where the file that it names has changed.
        public var value: String

        public init(key: String, former: String, value: String) {
            self.key = key
            self.former = former
            self.value = value
        }
    }

    /// What counts now.
    public var changes: [Change]
    /// Keys that count from the next start on.
    public var waitingForStart: [String]
    /// Faults that do no harm.
    public var warnings: [String]

    public init(changes: [Change], waitingForStart: [String], warnings: [String]) {
        self.changes = changes
        self.waitingForStart = waitingForStart
        self.warnings = warnings
    }
}
