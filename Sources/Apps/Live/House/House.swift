import Calendar
import Fields
import Signals
import Synth
import Units
import Venue
import Wire

/// Decides about what no piece decides: theme, preset and volume. It follows the schedule, choices by hand and the hearing guard. A plain
/// value: the caller passes the time.
struct House {
    /// The decision about what sounds from now on: the theme, and the volume with the time of the change to it.
    struct Decision: Equatable {
        var theme: Theme
        /// The volume, −120…0 dB.
        var volume: Decibels
        /// The time in which the volume changes to `volume`.
        var fade: Seconds
    }

    private(set) var venue: Venue
    private(set) var themes: [String: Theme]
    private(set) var theme: Theme
    /// The name of the theme in the settings.
    private var settingsTheme: String
    /// The preset that was chosen by hand; nil where the schedule decides.
    private(set) var chosen: ChosenPreset?
    /// The volume that was set by hand, which is added to the preset's; nil where nobody has set one.
    private(set) var chosenVolume: ChosenVolume?
    /// The instant `next` of the schedule's first change after the instant `since`; `next` is nil where no change follows. The whole is nil
    /// before the first search.
    private var edge: (since: Int, next: Int?)?
    /// The preset that the schedule chooses at present.
    private(set) var choice: WeeklySchedule.Choice
    private(set) var guardian: HearingGuard?
    /// The day's dose of sound for the time in which there is no hearing guard. It is from the last run of the daemon, or from the guard
    /// before.
    private var lastDay: HearingDay?
    /// The preset and the volume by hand at the last decision, and the volume that resulted; nil before the first decision.
    private var decided: (preset: String, byHand: Decibels?, volume: Decibels)?
    /// The time during which the volume fades to that of another preset, in seconds since 1970-01-01 in UTC; nil before the first such
    /// fade.
    private var goingOver: Range<Int>?
    /// The time of the schedule's next change, in seconds since 1970-01-01 in UTC; nil where no change follows, or the date is unknown.
    private(set) var nextChange: Int?
    /// The time at which the schedule next chooses a preset that is not silent, in seconds since 1970-01-01 in UTC; nil where it chooses
    /// none any more, or the date is unknown.
    private var nextOpening: Int?
    /// The time for which the schedule was last evaluated, in seconds since 1970-01-01 in UTC.
    private var looked = Int.min
    /// The time at which the schedule's next change was last searched for, in seconds since 1970-01-01 in UTC.
    private var lookedAhead = 0
    /// Whether the clock was plausible when the schedule was last evaluated.
    private var isDated = false

    /// `day`, `chosen` and `volume` are those of the last run of the daemon.
    init(_ settings: LiveSettings, day: HearingDay? = nil, chosen: ChosenPreset? = nil, volume: ChosenVolume? = nil) {
        venue = settings.venue
        themes = settings.themes
        theme = settings.theme
        settingsTheme = settings.theme.name
        choice = WeeklySchedule.Choice(hours: nil, preset: settings.venue.schedule.otherwise)
        guardian = settings.venue.hearing.map { HearingGuard($0, day: day) }
        lastDay = day
        self.chosen = chosen.flatMap { settings.venue.presets[$0.name] == nil ? nil : $0 }
        chosenVolume = volume
    }

    var preset: String { chosen?.name ?? choice.preset }
    /// The day's dose of sound; nil when the dose or the date is unknown.
    var day: HearingDay? { isDated ? guardian?.day ?? lastDay : nil }
    var isByHand: Bool { chosen != nil }
    var isThemeByHand: Bool { theme.name != settingsTheme }
    /// Whether the house is open to visitors: the schedule's preset, or one chosen by hand, is not silent.
    var isOpen: Bool { [choice.preset, preset].contains(where: venue.isHeard) }
    /// The time at which the schedule opens a closed house, in seconds since 1970-01-01 in UTC; nil while the house is open, and where no
    /// opening follows or the date is unknown.
    var opensAt: Int? { isOpen ? nil : nextOpening }

    /// Takes over settings that have been reread. Choices by hand remain, if what was chosen still exists.
    mutating func change(to settings: LiveSettings) {
        venue = settings.venue
        // The new schedule counts from now on: a change of it that lies in the past does not end a choice by hand.
        if isDated, chosen?.since != nil { chosen?.since = looked }
        edge = nil
        isDated = false
        looked = .min
        lookedAhead = 0
        themes = settings.themes
        if !isThemeByHand || settings.theme.name != settingsTheme {
            theme = settings.theme
        } else if let again = themes[theme.name] {
            // This theme was chosen by hand. Where its file has become faulty, the theme remains as it was.
            theme = again
        }
        settingsTheme = settings.theme.name
        if let name = chosen?.name, venue.presets[name] == nil { chosen = nil }
        if let hearing = settings.venue.hearing {
            if guardian == nil { guardian = HearingGuard(hearing, day: lastDay) }
            guardian?.settings = hearing
        } else {
            lastDay = guardian?.day ?? lastDay
            guardian = nil
        }
    }

    /// Chooses a theme by hand. Throws where there is no theme with this name.
    mutating func use(theme name: String) throws(Fault) {
        guard let theme = themes[name] else { throw Self.unknown(name, of: themes.keys) }
        self.theme = theme
    }

    /// Chooses a theme by hand that the settings need not contain. From now on it can be chosen by its name.
    mutating func use(_ theme: Theme) {
        themes[theme.name] = theme
        self.theme = theme
    }

    /// Chooses a preset by hand until the schedule's next change; nil returns the choice to the schedule. Throws for an unknown preset.
    mutating func use(preset name: String?) throws(Fault) {
        guard let name else { return chosen = nil }
        guard venue.presets[name] != nil else { throw Self.unknown(name, of: venue.presets.keys) }
        chosen = ChosenPreset(name: name)
    }

    /// Sets the volume by hand. `by` says in words who did so.
    mutating func use(volume level: Decibels, by: String, at instant: Int) {
        chosenVolume = ChosenVolume(level: level, by: by, since: LocalClock.isBelievable(instant) ? instant : nil)
    }

    private static func unknown(_ name: String, of names: some Sequence<String>) -> Fault {
        Fault(field: "name", expected: "one of " + names.sorted().joined(separator: ", "),
              found: "\"\(name)\"" + Spelling.hint(for: name, among: Array(names)))
    }

    /// Returns the names of themes other than `theme` that contain the chime, pattern or texture that `kind` plays.
    func others(than theme: Theme, with kind: EventKind) -> [String] {
        themes.values.filter { other in
            guard other.name != theme.name else { return false }
            return switch kind {
            case .chime(let name): other.chimes[name] != nil
            case .haptic(let name): other.haptics[name] != nil
            case .texture(let name, _): other.textures[name] != nil
            default: false
            }
        }.map(\.name).sorted()
    }

    mutating func beginSession() { guardian?.beginSession() }

    /// Adds sound that was heard for `time` to the day's dose of sound; `day` is nil while the date is unknown.
    mutating func hear(weightedMeanSquare: Float, for time: Seconds, on day: Int?) {
        guardian?.account(weightedMeanSquare: weightedMeanSquare, for: time, on: day)
    }

    /// Returns the theme and the volume for the time `instant`, in seconds since 1970-01-01 in UTC. `utcOffset` returns by how many seconds
    /// local time is ahead of UTC at such a time.
    mutating func decide(at instant: Int, utcOffset: (Int) -> Int) -> Decision {
        look(at: instant, utcOffset)
        takeBack(at: instant, utcOffset)
        let isGoingOver = decided.map { $0.preset != self.preset } ?? false
        let isTurned = decided?.byHand != chosenVolume?.level
        let preset = venue.presets[preset] ?? .normal
        let eased = guardian?.volume ?? .fullScale
        let byHand = chosenVolume?.level ?? .fullScale
        let volume = max(.silence, Decibels(preset.volume.rawValue + eased.rawValue + byHand.rawValue))
        if isGoingOver, volume != decided?.volume {
            goingOver = instant..<instant + Int(venue.schedule.fade.rawValue.rounded(.up))
        }
        decided = (self.preset, chosenVolume?.level, volume)
        // While the volume fades to another preset's, any other change takes as long as the rest of that fade. A shorter time would make
        // the volume jump.
        let fade = isGoingOver ? venue.schedule.fade : max(isTurned ? Self.turning : Self.easing, rest(at: instant))
        return Decision(theme: preset.applied(to: theme), volume: volume, fade: fade)
    }

    /// Returns the remaining time of the fade to another preset's volume; zero where there is none.
    private func rest(at instant: Int) -> Seconds {
        guard let goingOver, goingOver.contains(instant) else { return .zero }
        return Seconds(Double(goingOver.upperBound - instant))
    }

    /// Evaluates the schedule, at most once a second. Searches for its next change at most once a minute, because that is slow.
    private mutating func look(at instant: Int, _ utcOffset: (Int) -> Int) {
        guard instant != looked else { return }
        looked = instant
        isDated = LocalClock.isBelievable(instant)
        guard isDated else {
            (choice, nextChange, nextOpening, lookedAhead) = (venue.choiceWithoutClock, nil, nil, 0)
            return
        }
        let before = choice
        choice = venue.schedule.preset(at: instant, utcOffset: utcOffset)
        guard choice != before || !(lookedAhead..<lookedAhead + 60).contains(instant) else { return }
        lookedAhead = instant
        nextChange = venue.schedule.nextChange(after: instant, utcOffset: utcOffset)
        nextOpening = venue.schedule.next(after: instant, utcOffset: utcOffset) { venue.isHeard($0.preset) }
    }

    /// Ends a choice by hand at the schedule's next change, even if that was while the program did not run.
    private mutating func takeBack(at instant: Int, _ utcOffset: (Int) -> Int) {
        guard isDated, let chosen else { return }
        // If the clock was ahead when the choice was made, the choice must not last for years.
        let since = min(chosen.since ?? instant, instant)
        self.chosen?.since = since
        if edge?.since != since { edge = (since, venue.schedule.nextEdge(after: since, utcOffset: utcOffset)) }
        if let next = edge?.next, next <= instant { self.chosen = nil }
    }

    /// The time that a change by the hearing guard takes: short, compared with the minutes over which the guard acts.
    private static let easing = Seconds(2)
    /// The time that a change of volume by hand takes: so short that the effect is heard at once, but without a click.
    private static let turning = Seconds(0.2)
}

extension House {
    /// Returns the schedule of a week, which begins at the midnight before `instant`, in seconds since 1970-01-01 in UTC.
    func week(at instant: Int, utcOffset: (Int) -> Int) -> ScheduleWeek {
        guard LocalClock.isBelievable(instant), let zero = LocalTime("00:00") else {
            return ScheduleWeek(days: [], spans: [], chosen: chosen?.name)
        }
        let today = LocalClock.day(at: instant, utcOffset: utcOffset)
        func midnight(on day: Int) -> Int { LocalClock.instant(zero, on: day, utcOffset: utcOffset) }
        let days = (today..<today + 7).map { day in
            let (start, date) = (midnight(on: day), CalendarDate(day: day))
            return ScheduleWeek.Day(start: start, utcOffset: utcOffset(start), date: date.text,
                                    isException: venue.schedule.dates[date] != nil)
        }
        let end = midnight(on: today + 7)
        var spans: [ScheduleWeek.Span] = []
        var start = midnight(on: today)
        while start < end {
            let choice = venue.schedule.preset(at: start, utcOffset: utcOffset)
            let next = min(end, venue.schedule.nextEdge(after: start, utcOffset: utcOffset) ?? end)
            spans.append(ScheduleWeek.Span(start: start, until: next, preset: choice.preset, entry: choice.hours, date: choice.date?.text,
                                           isOpen: venue.isHeard(choice.preset), utcOffset: utcOffset(start)))
            start = next
        }
        let after = venue.schedule.nextChange(after: end - 1, utcOffset: utcOffset).map { start in
            let preset = venue.schedule.preset(at: start, utcOffset: utcOffset).preset
            return ScheduleWeek.Change(start: start, preset: preset, isOpen: venue.isHeard(preset), utcOffset: utcOffset(start))
        }
        return ScheduleWeek(days: days, spans: spans, after: after, chosen: chosen?.name)
    }
}

/// Passes what was heard to the hearing guard, and remembers up to which frame it did so. A plain value: the caller passes the time
/// (CLOCK_MONOTONIC, nanoseconds).
struct HearingAccount {
    /// The frame of the output up to which the sound has been passed to the hearing guard.
    private var heardUntil = Frame.zero
    /// The number of the session in which sound was last passed to the hearing guard, counted from 1.
    private var session = 0

    /// Passes the sound since the last call to the house's hearing guard, about once a second. `sessions` is the number of sessions so far,
    /// and `start` the frame at which the running session began; nil where none runs. `day` is the local day; nil while the date is
    /// unknown. `reading` returns how loud some frames were; nil where that is unknown.
    mutating func account(_ report: OutputReport, at now: Int64, sessions: Int, start: Frame?, rate: SampleRate, day: Int?,
                          in house: inout House, reading: (Range<Frame>) -> MeterReading?) {
        let heard = report.heard(at: now)
        // A guard that appears with reread settings starts at that moment.
        guard house.guardian != nil else { return heardUntil = heard }
        // Each visitor has a dose of their own, and must not find the sound turned down by the dose of the one before.
        if sessions != session || start == nil { house.beginSession() }
        if sessions != session, let start { heardUntil = max(heardUntil, start) }
        session = sessions
        let time = rate.seconds(in: heard - heardUntil)
        guard time >= Seconds(1) else { return }
        // Nothing was heard without a sound server.
        guard report.state != .waiting else { return heardUntil = heard }
        // A reading of a part counts for the whole time. Without any reading, the time is added to that of the next one.
        guard let reading = reading(heardUntil..<heard) else { return }
        heardUntil = heard
        house.hear(weightedMeanSquare: reading.weightedMeanSquare, for: time, on: day)
    }
}

extension OutputReport {
    /// Returns the frame that is heard at `now` (CLOCK_MONOTONIC, nanoseconds), but at most the last rendered frame.
    func heard(at now: Int64) -> Frame { min(clock.frame(at: now), rendered) }
}
