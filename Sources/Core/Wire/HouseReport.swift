import Calendar

/// The part of the answer to `status` that is about the house: theme, preset, opening hours, volume, ceiling and hearing.
public struct HouseReport: Codable, Equatable, Sendable {
    /// The levels and doses of the hearing guard, where there is a calibration.
    public struct Hearing: Codable, Equatable, Sendable {
        public var level: Double?
        public var sessionDose: Double
        public var dayDose: Double
        public var equivalent: Double?
        public var volume: Double
        public var rules: HearingRules

        public init(level: Double?, sessionDose: Double, dayDose: Double, equivalent: Double? = nil, volume: Double, rules: HearingRules) {
            self.level = level
            self.sessionDose = sessionDose
            self.dayDose = dayDose
            self.equivalent = equivalent
            self.volume = volume
            self.rules = rules
        }
    }

    /// The settings that the hearing guard keeps to.
    public struct HearingRules: Codable, Equatable, Sendable {
        /// What a country allows an audience: the country's word in the settings, and the average level in dBA over so many minutes.
        public struct Country: Codable, Equatable, Sendable {
            public var word: String
            public var level: Double
            public var minutes: Double

            public init(word: String, level: Double, minutes: Double) {
                self.word = word
                self.level = level
                self.minutes = minutes
            }
        }

        /// The level of a full-scale sine of 1 kHz at the listener, in dB.
        public var calibration: Double
        /// The level that is allowed for 8 hours a day, in dBA.
        public var limit: Double
        /// The part of the day's allowance that one visitor may use up, in percent.
        public var session: Double
        /// The country that the settings name, with the limit of its rules; nil where they name none.
        public var country: Country?

        public init(calibration: Double, limit: Double, session: Double, country: Country?) {
            self.calibration = calibration
            self.limit = limit
            self.session = session
            self.country = country
        }
    }

    /// Who set something by hand, and when; `since` is in seconds since 1970-01-01 in UTC.
    public struct ByHand: Codable, Equatable, Sendable {
        public var by: String
        public var since: Int?

        public init(by: String, since: Int?) {
            self.by = by
            self.since = since
        }
    }

    /// The level that no sample exceeds, in dBFS. `setting` is the level that settings, theme and preset give.
    public struct Ceiling: Codable, Equatable, Sendable {
        public var level: Double
        public var setting: Double
        /// Who set the ceiling by hand; nil where `level` and `setting` are the same.
        public var byHand: ByHand?

        public init(level: Double, setting: Double, byHand: ByHand? = nil) {
            self.level = level
            self.setting = setting
            self.byHand = byHand
        }
    }

    /// The volume that somebody has set by hand.
    public struct VolumeByHand: Codable, Equatable, Sendable {
        /// The gain of all sound, in dB; below 0.
        public var level: Double
        public var by: String
        public var since: Int?

        public init(level: Double, by: String, since: Int?) {
            self.level = level
            self.by = by
            self.since = since
        }
    }

    public var theme: String
    public var preset: String
    public var isByHand: Bool
    public var entry: String?
    public var isOpen: Bool
    public var opensAt: Int?
    public var opensIn: Int?
    public var nextChange: Int?
    public var volume: Double
    /// The volume that somebody has set by hand; nil where nobody has turned the sound down.
    public var volumeByHand: VolumeByHand?
    public let isMuted: Bool
    /// Who muted the sound, and when; nil while it is not muted.
    public internal(set) var mute: ByHand?
    public var ceiling: Ceiling
    /// The hearing guard's report; nil where there is no calibration.
    public var hearing: Hearing?
    public var waitingForStart: [String]

    public init(theme: String, preset: String, isByHand: Bool, entry: String?, isOpen: Bool = true, opensAt: Int? = nil,
                opensIn: Int? = nil, nextChange: Int?, volume: Double, volumeByHand: VolumeByHand? = nil, mute: ByHand? = nil,
                ceiling: Ceiling, hearing: Hearing?, waitingForStart: [String] = []) {
        self.theme = theme
        self.preset = preset
        self.isByHand = isByHand
        self.entry = entry
        self.isOpen = isOpen
        self.opensAt = opensAt
        self.opensIn = opensIn
        self.nextChange = nextChange
        self.volume = volume
        self.volumeByHand = volumeByHand
        isMuted = mute != nil
        self.mute = mute
        self.ceiling = ceiling
        self.hearing = hearing
        self.waitingForStart = waitingForStart
    }
}

extension StatusField {
    static let house: [StatusField] = [
        .info("house", "what is on: theme, preset, and the schedule's entry, empty outside of all", "thrum_house_info") {
            ["theme": $0.house.theme, "preset": $0.house.preset, "entry": $0.house.entry ?? ""]
        },
        .field("house.theme", "the theme in force"),
        .field("house.preset", "the preset in force"),
        .field("house.entry", "the schedule's entry that is on; left out outside of all"),
        .flag("house.isByHand", "whether somebody chose the preset, and not the schedule", "thrum_preset_by_hand", \.house.isByHand),
        .flag("house.isOpen", "whether visitors find it open, by the schedule or by hand", also: "because its preset is more than silence",
              "thrum_house_open", \.house.isOpen),
        .gauge("house.opensAt", "when the schedule opens the house that is closed, since 1970-01-01 in UTC",
               also: "in seconds; left out for never", "thrum_house_opens_timestamp_seconds") { $0.house.opensAt.map(Double.init) },
        .field("house.opensIn", "in how many seconds the schedule opens the house that is closed, by its own clock; left out for never"),
        .gauge("house.nextChange", "when the schedule changes next, since 1970-01-01 in UTC", also: "in seconds; left out for never",
               "thrum_schedule_next_change_timestamp_seconds") { $0.house.nextChange.map(Double.init) },
        .gauge("house.volume", "how far the sound is turned down in all, in dB; -120 is silence", "thrum_volume_decibels", \.house.volume),
        .gauge("house.volumeByHand.level", "how far somebody has turned the sound down by hand", also: "in dB; part of `volume`",
               "thrum_volume_by_hand_decibels") { $0.house.volumeByHand?.level ?? 0 },
        .field("house.volumeByHand.by", "who set it: the client's name and number, and whose credentials it had"),
        .field("house.volumeByHand.since", "since when, in seconds since 1970-01-01 in UTC; left out when the clock was not set by then"),
        .flag("house.isMuted", "whether a front end has taken the sound away", "thrum_muted", \.house.isMuted),
        .field("house.mute.by", "who took the sound away: the client's name and number, and whose credentials it has"),
        .gauge("house.mute.since", "since when the sound is taken away, since 1970-01-01 in UTC",
               also: "in seconds; left out when the clock was not set by then", "thrum_muted_timestamp_seconds") {
            $0.house.mute?.since.map(Double.init)
        },
        .gauge("house.ceiling.level", "no sample passes it, dBFS", "thrum_ceiling_decibels", \.house.ceiling.level),
        .gauge("house.ceiling.setting", "the same by settings, theme and preset, dBFS", "thrum_ceiling_setting_decibels",
               \.house.ceiling.setting),
        .flag("house.ceiling.byHand", "whether a front end has set a lower one than they have", "thrum_ceiling_by_hand") {
            $0.house.ceiling.byHand != nil
        },
        .field("house.ceiling.byHand.by", "who set it: the client's name and number, and whose credentials it has"),
        .field("house.ceiling.byHand.since", "since when it is lower, in seconds since 1970-01-01 in UTC; left out when the clock was not "
            + "set by then"),
        .gauge("house.hearing.level", "the level at the listener, A-weighted, over the last second", also: "in dBA; left out in silence",
               "thrum_hearing_level_decibels") { $0.house.hearing?.level },
        .gauge("house.hearing.sessionDose", "the visitor's dose, of all that a day may have", also: "in percent",
               "thrum_hearing_session_dose_ratio") {
            $0.house.hearing.map { $0.sessionDose / 100 }
        },
        .gauge("house.hearing.dayDose", "the day's dose, of all that a day may have", also: "in percent", "thrum_hearing_day_dose_ratio") {
            $0.house.hearing.map { $0.dayDose / 100 }
        },
        .gauge("house.hearing.equivalent", "the level, A-weighted, that in 8 hours makes the day's dose",
               also: "L_EX,8h, in dBA; left out for none", "thrum_hearing_day_equivalent_decibels") { $0.house.hearing?.equivalent },
        .gauge("house.hearing.volume", "how far the level is eased down for it", also: "in dB", "thrum_hearing_volume_decibels") {
            $0.house.hearing?.volume
        },
        .gauge("house.hearing.rules.calibration", "the level of a full-scale sine of 1 kHz at the listener", also: "in dB",
               "thrum_hearing_calibration_decibels") { $0.house.hearing?.rules.calibration },
        .gauge("house.hearing.rules.limit", "the level, A-weighted, that is allowed for 8 hours a day", also: "in dBA",
               "thrum_hearing_limit_decibels") { $0.house.hearing?.rules.limit },
        .field("house.hearing.rules.session", "how much of a day's allowance one visitor may have, in percent"),
        .field("house.hearing.rules.country.word", "the country's word in the settings"),
        .field("house.hearing.rules.country.level", "the average level that the country allows an audience, in dBA"),
        .field("house.hearing.rules.country.minutes", "over how many minutes that average is taken"),
        .field("house.waitingForStart", "a setting that was changed and counts after the next start"),
    ]
}

extension HouseReport {
    /// The notices with times in UTC, for machines.
    public var notices: [String] { notices { CivilTime(instant: Double($0), utcOffset: 0).iso8601 } }

    /// The notices without names of people. `/health` gives these to anybody; names are for operators.
    public var anonymousNotices: [String] {
        var report = self
        report.mute?.by = Self.somebody
        report.ceiling.byHand?.by = Self.somebody
        report.volumeByHand?.by = Self.somebody
        return report.notices
    }

    private static let somebody = "a front end"

    /// Returns notices of what somebody has set by hand and everybody should know; usually there are none. Such settings are intended, so
    /// they are no issues. `time` writes an instant, given in seconds since 1970-01-01 in UTC, as text.
    public func notices(_ time: (Int) -> String) -> [String] {
        func origin(_ hand: ByHand) -> String { "by \(hand.by)" + (hand.since.map { " since \(time($0))" } ?? "") }
        var notices: [String] = []
        if let mute { notices.append("muted \(origin(mute)): nothing is heard until output.mute is sent with on=false") }
        if let volume = volumeByHand {
            notices.append("turned down by \(decibels(-volume.level)) dB \(origin(ByHand(by: volume.by, since: volume.since)))")
        }
        if let hand = ceiling.byHand {
            notices.append("the ceiling is \(decibels(ceiling.level)) dBFS \(origin(hand)), that of settings, theme and preset is "
                + "\(decibels(ceiling.setting)) dBFS")
        }
        return notices
    }

    private func decibels(_ value: Double) -> String { value == value.rounded() ? "\(Int(value))" : "\(value)" }
}

/// The answer to `schedule.week`: spans of time with their presets, for seven days from the last midnight on.
public struct ScheduleWeek: Codable, Equatable, Sendable {
    public struct Span: Codable, Equatable, Sendable {
        /// The start of the span in seconds since 1970-01-01 in UTC; `until` is its end.
        public var start: Int
        public var until: Int
        public var preset: String
        /// The name of the schedule's hours that apply; nil outside of all hours, and where a date decides.
        public var entry: String?
        /// The date that decides in place of the week, such as 2026-12-24; nil where the week decides.
        public var date: String?
        /// Whether anything is heard under the preset.
        public var isOpen: Bool
        /// The seconds by which local time is ahead of UTC at `start`.
        public var utcOffset: Int

        public init(start: Int, until: Int, preset: String, entry: String?, date: String? = nil, isOpen: Bool,
                    utcOffset: Int) {
            self.start = start
            self.until = until
            self.preset = preset
            self.entry = entry
            self.date = date
            self.isOpen = isOpen
            self.utcOffset = utcOffset
        }
    }

    /// A local day. It has 23 or 25 hours when the clock is changed, so it ends where the next one starts.
    public struct Day: Codable, Equatable, Sendable {
        /// The day's midnight, in seconds since 1970-01-01 in UTC.
        public var start: Int
        /// The seconds by which local time is ahead of UTC at `start`.
        public var utcOffset: Int
        /// The day's date, such as 2026-12-24.
        public var date: String
        /// Whether the schedule has hours of its own for the date.
        public var isException: Bool

        public init(start: Int, utcOffset: Int, date: String, isException: Bool) {
            self.start = start
            self.utcOffset = utcOffset
            self.date = date
            self.isException = isException
        }
    }

    /// A change of the preset.
    public struct Change: Codable, Equatable, Sendable {
        /// The instant of the change in seconds since 1970-01-01 in UTC.
        public var start: Int
        /// The preset from then on.
        public var preset: String
        /// Whether anything is heard under the preset.
        public var isOpen: Bool
        /// The seconds by which local time is ahead of UTC at `start`.
        public var utcOffset: Int

        public init(start: Int, preset: String, isOpen: Bool, utcOffset: Int) {
            self.start = start
            self.preset = preset
            self.isOpen = isOpen
            self.utcOffset = utcOffset
        }
    }

    /// The seven days, of which today is the first. There are none while the clock is obviously wrong.
    public var days: [Day]
    /// The spans. Each begins where the one before ends. There are none while the clock is obviously wrong.
    public var spans: [Span]
    /// The first change of the schedule's preset after the seven days; nil where there is none.
    public var after: Change?
    /// The name of the preset that somebody chose by hand, which applies until the schedule changes; nil where the schedule decides.
    public var chosen: String?

    public init(days: [Day], spans: [Span], after: Change? = nil, chosen: String?) {
        self.days = days
        self.spans = spans
        self.after = after
        self.chosen = chosen
    }
}
