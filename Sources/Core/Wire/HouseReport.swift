import Calendar

/// The house's part of the answer to `status`.
public struct HouseReport: Codable, Equatable, Sendable {
    /// The hearing guard's levels and doses, where there is a calibration.
    public struct Hearing: Codable, Equatable, Sendable {
        /// The level at the listener over the last second, dBA; nil when it is silent.
        public var level: Double?
        /// The share of a visitor's permitted dose that has been used, in percent.
        public var sessionDose: Double
        public var dayDose: Double
        /// The steady level that would make the day's dose in 8 hours (L_EX,8h), dBA; nil for none.
        public var equivalent: Double?
        /// The gain by which the hearing guard lowers the sound, dB, 0 or less.
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
        /// Who has set it, in words: the client's name and number, and whose credentials it has.
        public var by: String
        /// Seconds since 1970-01-01 in UTC; nil when the clock was not set by then.
        public var since: Int?

        public init(by: String, since: Int?) {
            self.by = by
            self.since = since
        }
    }

    /// The level that no sample exceeds.
    public struct Ceiling: Codable, Equatable, Sendable {
        /// The ceiling in force, dBFS.
        public var level: Double
        /// The ceiling of settings, theme and preset, dBFS.
        public var setting: Double
        /// Who has set the ceiling by hand; nil where the two levels are the same.
        public var byHand: ByHand?

        public init(level: Double, setting: Double, byHand: ByHand? = nil) {
            self.level = level
            self.setting = setting
            self.byHand = byHand
        }
    }

    public var theme: String
    public var preset: String
    /// Whether somebody chose the preset by hand, instead of the schedule.
    public var isByHand: Bool
    /// The name of the schedule's entry that is in force; nil outside of all entries.
    public var entry: String?
    /// Whether the house is open to visitors: the preset in force is more than silence.
    public var isOpen: Bool
    /// The time at which the schedule opens the closed house, in seconds since 1970-01-01 in UTC; nil for never, and while it is open.
    public var opensAt: Int?
    /// The seconds until the schedule opens the closed house, by the house's clock; nil for never, and while it is open.
    public var opensIn: Int?
    /// The time of the schedule's next change, in seconds since 1970-01-01 in UTC; nil for never.
    public var nextChange: Int?
    /// The sum of all gains that turn the sound down, dB; −120 is silence.
    public var volume: Double
    /// Whether a front end has taken the sound away.
    public let isMuted: Bool
    /// Who has taken the sound away, and when; nil while nobody has.
    public internal(set) var mute: ByHand?
    public var ceiling: Ceiling
    /// The hearing guard's report; nil where there is no calibration.
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

extension HouseReport {
    /// The notices with times in UTC, for machines.
    public var notices: [String] { notices { CivilTime(instant: Double($0), utcOffset: 0).iso8601 } }

    /// The notices without names, which are for operators: `/health` answers anybody.
    public var anonymousNotices: [String] {
        var report = self
        report.mute?.by = Self.somebody
        report.ceiling.byHand?.by = Self.somebody
        return report.notices
    }

    private static let somebody = "a front end"

    /// Says in words what somebody has set by hand and everybody should know; empty as a rule. Such settings are meant, and so are no
    /// issues. `time` writes an instant, given in seconds since 1970-01-01 in UTC.
    public func notices(_ time: (Int) -> String) -> [String] {
        func origin(_ hand: ByHand) -> String { "by \(hand.by)" + (hand.since.map { " since \(time($0))" } ?? "") }
        var notices: [String] = []
        if let mute { notices.append("muted \(origin(mute)): nothing is heard until output.mute is sent with on=false") }
        if let hand = ceiling.byHand {
            notices.append("the ceiling is \(decibels(ceiling.level)) dBFS \(origin(hand)), that of settings, theme and preset is "
                + "\(decibels(ceiling.setting)) dBFS")
        }
        return notices
    }

    private func decibels(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}

/// The answer to `schedule.week`: the preset of each span of time, for seven days from the last midnight on.
public struct ScheduleWeek: Codable, Equatable, Sendable {
    public struct Span: Codable, Equatable, Sendable {
        /// Seconds since 1970-01-01 in UTC.
        public var start: Int
        public var until: Int
        public var preset: String
        /// The name of the schedule's entry; nil outside of all entries.
        public var entry: String?
        /// Whether the preset is more than silence.
        public var isOpen: Bool

        public init(start: Int, until: Int, preset: String, entry: String?, isOpen: Bool) {
            self.start = start
            self.until = until
            self.preset = preset
            self.entry = entry
            self.isOpen = isOpen
        }
    }

    /// The spans, each beginning where the one before ends; empty while the clock is obviously wrong.
    public var spans: [Span]
    /// The preset that somebody has chosen, until the schedule changes; nil where the schedule decides.
    public var chosen: String?

    public init(spans: [Span], chosen: String?) {
        self.spans = spans
        self.chosen = chosen
    }
}
