/// The house's part of the answer to `status`.
public struct HouseReport: Codable, Equatable, Sendable {
    /// The hearing guard's levels and doses, where there is a calibration.
    public struct Hearing: Codable, Equatable, Sendable {
        /// dBA at the listener, over the last second; nil when it is silent.
        public var level: Double?
        /// Of what a visitor, and a day, may have, in percent.
        public var sessionDose: Double
        public var dayDose: Double
        /// dBA: the steady level that in 8 hours makes the day's dose (L_EX,8h); nil for none.
        public var equivalent: Double?
        /// How far the level is eased down for it, dB.
        public var volume: Double

        public init(level: Double?, sessionDose: Double, dayDose: Double, equivalent: Double? = nil, volume: Double) {
            self.level = level
            self.sessionDose = sessionDose
            self.dayDose = dayDose
            self.equivalent = equivalent
            self.volume = volume
        }
    }

    /// Who has set something by hand, and when.
    public struct ByHand: Codable, Equatable, Sendable {
        /// In words: the client's name and number, and whose credentials it has.
        public var by: String
        /// Seconds since 1970-01-01 in UTC; nil when the clock was not set by then.
        public var since: Int?

        public init(by: String, since: Int?) {
            self.by = by
            self.since = since
        }
    }

    /// No sample passes it.
    public struct Ceiling: Codable, Equatable, Sendable {
        /// The one in force, dBFS.
        public var level: Double
        /// That of settings, theme and preset, dBFS.
        public var setting: Double
        /// Nil where the two are the same.
        public var byHand: ByHand?

        public init(level: Double, setting: Double, byHand: ByHand? = nil) {
            self.level = level
            self.setting = setting
            self.byHand = byHand
        }
    }

    public var theme: String
    public var preset: String
    /// Whether somebody chose it, and not the schedule.
    public var isByHand: Bool
    /// The schedule's entry that is on; nil outside of all.
    public var entry: String?
    /// Whether visitors find it open: the schedule's preset, or one chosen by hand, is more than silence.
    public var isOpen: Bool
    /// While it is closed: when the schedule opens it, seconds since 1970-01-01 in UTC; nil for never.
    public var opensAt: Int?
    /// While it is closed: in how many seconds the schedule opens it, by the house's clock; nil for never.
    public var opensIn: Int?
    /// When the schedule changes next, seconds since 1970-01-01 in UTC; nil for never.
    public var nextChange: Int?
    /// How far the sound is turned down in all, dB; −120 is silence.
    public var volume: Double
    /// Whether a front end has taken the sound away.
    public let isMuted: Bool
    /// Nil while it has not.
    public internal(set) var mute: ByHand?
    public var ceiling: Ceiling
    /// Nil where there is no calibration.
    public var hearing: Hearing?
    /// Settings that were read again and count from the next start on, by key.
    public var waitingForStart: [String]

    public init(theme: String, preset: String, isByHand: Bool, entry: String?, isOpen: Bool = true, opensAt: Int? = nil,
                opensIn: Int? = nil, nextChange: Int?, volume: Double, mute: ByHand? = nil, ceiling: Ceiling, hearing: Hearing?,
                waitingForStart: [String] = []) {
        self.theme = theme
        self.preset = preset
        self.isByHand = isByHand
        self.entry = entry
        self.isOpen = isOpen
        self.opensAt = opensAt
        self.opensIn = opensIn
        self.nextChange = nextChange
        self.volume = volume
        isMuted = mute != nil
        self.mute = mute
        self.ceiling = ceiling
        self.hearing = hearing
        self.waitingForStart = waitingForStart
    }
}

extension Metric {
    static let house: [Metric] = [
        .info("thrum_house_info", "What is on: theme, preset, and the schedule's entry, empty outside of all.") {
            ["theme": $0.house.theme, "preset": $0.house.preset, "entry": $0.house.entry ?? ""]
        },
        .flag("thrum_preset_by_hand", "Whether somebody chose the preset, and not the schedule.", \.house.isByHand),
        .flag("thrum_house_open", "Whether visitors find it open, by the schedule or by hand.", \.house.isOpen),
        .gauge("thrum_house_opens_timestamp_seconds", "When the schedule opens the house that is closed, since 1970-01-01 in UTC.") {
            $0.house.opensAt.map(Double.init)
        },
        .gauge("thrum_schedule_next_change_timestamp_seconds", "When the schedule changes next, since 1970-01-01 in UTC.") {
            $0.house.nextChange.map(Double.init)
        },
        .gauge("thrum_volume_decibels", "How far the sound is turned down in all; -120 is silence.", \.house.volume),
        .flag("thrum_muted", "Whether a front end has taken the sound away.", \.house.isMuted),
        .gauge("thrum_muted_timestamp_seconds", "Since when it has, since 1970-01-01 in UTC.") { $0.house.mute?.since.map(Double.init) },
        .gauge("thrum_ceiling_decibels", "No sample passes it, dBFS.", \.house.ceiling.level),
        .gauge("thrum_ceiling_setting_decibels", "The same by settings, theme and preset, dBFS.", \.house.ceiling.setting),
        .flag("thrum_ceiling_by_hand", "Whether a front end has set a lower one than they have.") { $0.house.ceiling.byHand != nil },
        .gauge("thrum_hearing_level_decibels", "At the listener, A-weighted, over the last second.") { $0.house.hearing?.level },
        .gauge("thrum_hearing_session_dose_ratio", "Of what a visitor may have, 1 for all of it.") {
            $0.house.hearing.map { $0.sessionDose / 100 }
        },
        .gauge("thrum_hearing_day_dose_ratio", "Of what a day may have, 1 for all of it.") { $0.house.hearing.map { $0.dayDose / 100 } },
        .gauge("thrum_hearing_day_equivalent_decibels", "The level, A-weighted, that in 8 hours makes the day's dose.") {
            $0.house.hearing?.equivalent
        },
        .gauge("thrum_hearing_volume_decibels", "How far the level is eased down for it.") { $0.house.hearing?.volume },
    ]
}
