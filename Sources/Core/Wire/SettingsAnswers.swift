import Experience
import Signals

/// A setting of the daemon, with the value that is in use.
public struct SettingReport: Codable, Equatable, Sendable {
    public enum Source: String, CaseIterable, Codable, Sendable {
        case `default`, file, variable, flag
        /// Somebody has changed the setting while the daemon was running.
        case hand
        /// The sound card determines the value, not a setting.
        case card
        /// The settings file is faulty, so the last good settings are used.
        case lastGood = "last-good"
    }

    /// When a change of the setting takes effect.
    public enum Effect: String, CaseIterable, Codable, Sendable {
        case start, reload
    }

    public var key: String
    /// The value in the form of a settings file; for a setting that nobody has set, its default in words.
    public var value: String
    public var unit: String?
    public var source: Source
    /// Where the value comes from: a file and its line, a variable, a flag, the card, or the file of the last good settings. nil for a
    /// default, and for a value that somebody has changed by hand.
    public var place: String?
    public var effect: Effect
    /// The value that the setting will have from the next start on; nil when it stays the same.
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
    /// The house's time after the change, in seconds since 1970-01-01 in UTC.
    public var time: Double
    /// The number of seconds by which the new time is ahead of the former; negative where it is behind.
    public var jump: Double

    public init(time: Double, jump: Double) {
        self.time = time
        self.jump = jump
    }
}

/// The answer to `setting.list`.
public struct SettingList: Codable, Equatable, Sendable {
    /// The settings, in the order of docs/configuration.md.
    public var settings: [SettingReport]

    public init(settings: [SettingReport]) { self.settings = settings }
}

/// The answer to `setting.reload`: the results of reading the settings again.
public struct ReloadReport: Codable, Equatable, Sendable {
    public struct Change: Codable, Equatable, Sendable {
        public var key: String
        /// The value before the change.
        public var former: String
        /// The value after the change. It equals `former` if it names a file, and only the content of that file has changed.
        public var value: String

        public init(key: String, former: String, value: String) {
            self.key = key
            self.former = former
            self.value = value
        }
    }

    /// The changes that took effect at once.
    public var changes: [Change]
    /// The keys whose changes take effect at the next start.
    public var waitingForStart: [String]
    /// Faults in the settings that do no harm.
    public var warnings: [String]

    public init(changes: [Change], waitingForStart: [String], warnings: [String]) {
        self.changes = changes
        self.waitingForStart = waitingForStart
        self.warnings = warnings
    }
}

/// A knob, or a counter, which is listed like a knob but cannot be set.
public struct KnobReport: Encodable, Equatable, Sendable {
    public var name: String
    /// The present value; nil for a counter that has had nothing to count.
    public var value: KnobValue?
    public var unit: String?
    public var isSettable: Bool
    /// The smallest value of a knob that is a number; `maximum` is the largest value. Both are nil for anything else.
    public var minimum: Double?
    public var maximum: Double?
    /// The knob's default; nil for a counter.
    public var standard: KnobValue?

    public init(_ knob: Knob, _ settings: KnobSettings) {
        name = knob.name
        value = settings[knob]
        unit = knob.unit
        isSettable = true
        minimum = knob.range?.lowerBound
        maximum = knob.range?.upperBound
        standard = knob.standard
    }

    public init(_ counter: Counter) {
        name = counter.name
        value = counter.value.map { .number($0) }
        unit = counter.unit
        isSettable = false
    }
}

/// The answer to `param.list`.
public struct KnobList: Encodable, Equatable, Sendable {
    public var parameters: [KnobReport]

    public init(parameters: [KnobReport]) { self.parameters = parameters }
}
