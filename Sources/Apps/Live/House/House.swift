import Calendar
import Fields
import Signals
import Synth
import Units
import Venue
import Wire

/// Decides about the sound what no piece does: theme, preset and volume, by schedule, by hand, and by the hearing guard. A plain value: the
/// caller gives the time.
struct House {
    /// What is to be heard from now on.
    struct Decision: Equatable {
        var theme: Theme
        /// The volume, −120…0 dB.
        var volume: Decibels
        /// How long the change to that volume takes.
        var fade: Seconds
    }

    private(set) var venue: Venue
    private(set) var themes: [String: Theme]
    private(set) var theme: Theme
    /// The name of the theme that the settings name.
    private var settingsTheme: String
    /// The preset chosen by hand; nil where the schedule decides.
    private(set) var chosen: ChosenPreset?
    /// The volume set by hand, which comes on top of the preset's; nil where nobody turned anything down.
    private(set) var chosenVolume: ChosenVolume?
    /// The schedule's first edge after an instant; nil where there never is one.
    private var edge: (since: Int, next: Int?)?
    /// The schedule's choice.
    private(set) var choice: WeeklySchedule.Choice
    private(set) var guardian: HearingGuard?
    /// The day's dose while there is no guard.
    private var lastDay: HearingDay?
    /// What the last decision was made of, and the volume that came of it; nil before the first one.
    private var decided: (preset: String, byHand: Decibels?, volume: Decibels)?
    /// From when until when the volume goes over to that of another preset, seconds since 1970-01-01 in UTC; nil where it has never done
    /// so.
    private var goingOver: Range<Int>?
    /// When the schedule changes next, seconds since 1970-01-01 in UTC; nil for never.
    private(set) var nextChange: Int?
    /// When the schedule next has a preset that is heard, seconds since 1970-01-01 in UTC; nil for never.
    private var nextOpening: Int?
    /// The instant at which the schedule was last looked at.
    private var looked = Int.min
    /// The instant at which the schedule's next change was last looked for.
    private var lookedAhead = 0
    /// Whether the clock could be believed when the schedule was last looked at.
    private var isDated = false

    /// `day`, `chosen` and `volume` are those of an earlier start.
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
    /// The day's dose; nil when the dose or the day is unknown.
    var day: HearingDay? { isDated ? guardian?.day ?? lastDay : nil }
    var isByHand: Bool { chosen != nil }
    var isThemeByHand: Bool { theme.name != settingsTheme }
    /// Whether visitors find the house open: the schedule's preset, or one chosen by hand, is more than silence.
    var isOpen: Bool { [choice.preset, preset].contains(where: venue.isHeard) }
    /// When the schedule opens a house that is closed, seconds since 1970-01-01 in UTC; nil for never, and while it is open.
    var opensAt: Int? { isOpen ? nil : nextOpening }

    /// Goes by settings that have been read again. What was chosen by hand stays, where it is still there.
    mutating func change(to settings: LiveSettings) {
        venue = settings.venue
        // The new schedule counts from now on: an edge in its past takes nothing back.
        if isDated, chosen?.since != nil { chosen?.since = looked }
        edge = nil
        isDated = false
        looked = .min
        lookedAhead = 0
        themes = settings.themes
        if !isThemeByHand || settings.theme.name != settingsTheme {
            theme = settings.theme
        } else if let again = themes[theme.name] {
            // Chosen by hand; where its file has become bad, it stays as it was.
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

    /// Chooses a theme by hand. Throws for one that is not there.
    mutating func use(theme name: String) throws(Fault) {
        guard let theme = themes[name] else { throw Self.unknown(name, of: themes.keys) }
        self.theme = theme
    }

    /// Chooses by hand a theme that the settings need not know, and that is there by its name from now on.
    mutating func use(_ theme: Theme) {
        themes[theme.name] = theme
        self.theme = theme
    }

    /// Chooses a preset by hand until the schedule changes; nil leaves it to the schedule again. Throws for one that is not there.
    mutating func use(preset name: String?) throws(Fault) {
        guard let name else { return chosen = nil }
        guard venue.presets[name] != nil else { throw Self.unknown(name, of: venue.presets.keys) }
        chosen = ChosenPreset(name: name)
    }

    /// Sets the volume by hand. `by` is who does, in words.
    mutating func use(volume level: Decibels, by: String, at instant: Int) {
        chosenVolume = ChosenVolume(level: level, by: by, since: LocalClock.isBelievable(instant) ? instant : nil)
    }

    private static func unknown(_ name: String, of names: some Sequence<String>) -> Fault {
        Fault(field: "name", expected: "one of " + names.sorted().joined(separator: ", "),
              found: "\"\(name)\"" + Spelling.hint(for: name, among: Array(names)))
    }

    /// Returns the names of themes other than `theme` that have what `kind` plays by its name.
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

    /// Accounts what was heard; `day` is nil while nobody knows which day it is.
    mutating func hear(weightedMeanSquare: Float, for time: Seconds, on day: Int?) {
        guardian?.account(weightedMeanSquare: weightedMeanSquare, for: time, on: day)
    }

    /// Returns what is to be heard at an instant, seconds since 1970-01-01 in UTC. `utcOffset` is the local time's at any instant.
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
        // Whatever else changes meanwhile takes as long as the way over still does: it would be a jump to the volume at its end.
        let fade = isGoingOver ? venue.schedule.fade : max(isTurned ? Self.turning : Self.easing, rest(at: instant))
        return Decision(theme: preset.applied(to: theme), volume: volume, fade: fade)
    }

    /// Returns how long the volume still goes over to that of another preset; zero where it does not.
    private func rest(at instant: Int) -> Seconds {
        guard let goingOver, goingOver.contains(instant) else { return .zero }
        return Seconds(Double(goingOver.upperBound - instant))
    }

    /// Looks at the schedule, at most once a second, and ahead at most once a minute, because that is slow.
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

    /// Ends a choice by hand at the schedule's next edge, also if the program did not run then.
    private mutating func takeBack(at instant: Int, _ utcOffset: (Int) -> Int) {
        guard isDated, let chosen else { return }
        // A clock that was ahead must not keep the choice for years.
        let since = min(chosen.since ?? instant, instant)
        self.chosen?.since = since
        if edge?.since != since { edge = (since, venue.schedule.nextEdge(after: since, utcOffset: utcOffset)) }
        if let next = edge?.next, next <= instant { self.chosen = nil }
    }

    /// How long a change of the hearing guard's takes: short against the minutes that it has.
    private static let easing = Seconds(2)
    /// How long a change of the volume by hand takes: whoever turns it hears at once what it does, and no click.
    private static let turning = Seconds(0.2)
}

extension House {
    /// Returns the schedule's week from the midnight before `instant` on, seconds since 1970-01-01 in UTC.
    func week(at instant: Int, utcOffset: (Int) -> Int) -> ScheduleWeek {
        guard LocalClock.isBelievable(instant), let midnight = LocalTime("00:00") else {
            return ScheduleWeek(spans: [], chosen: chosen?.name)
        }
        let today = LocalClock.day(at: instant, utcOffset: utcOffset)
        let end = LocalClock.instant(midnight, on: today + 7, utcOffset: utcOffset)
        var spans: [ScheduleWeek.Span] = []
        var start = LocalClock.instant(midnight, on: today, utcOffset: utcOffset)
        while start < end {
            let choice = venue.schedule.preset(at: start, utcOffset: utcOffset)
            let next = min(end, venue.schedule.nextEdge(after: start, utcOffset: utcOffset) ?? end)
            spans.append(ScheduleWeek.Span(start: start, until: next, preset: choice.preset, entry: choice.hours,
                                           isOpen: venue.isHeard(choice.preset)))
            start = next
        }
        return ScheduleWeek(spans: spans, chosen: chosen?.name)
    }
}

/// Knows up to where the hearing guard has accounted what was heard. A plain value: the caller gives the time (CLOCK_MONOTONIC,
/// nanoseconds).
struct HearingAccount {
    /// The frame of the output up to which what was heard is accounted.
    private var heardUntil = Frame.zero
    /// The number of the session that was accounted last, counted from 1.
    private var session = 0

    /// Has the house's guard account what was heard since it last did, about once a second. `sessions` is how many have begun so far, and
    /// `start` the frame at which the running one did; nil for none. `day` is nil while nobody knows which day it is. `reading` tells how
    /// loud some frames were; nil when that is not known.
    mutating func account(_ report: OutputReport, at now: Int64, sessions: Int, start: Frame?, rate: SampleRate, day: Int?,
                          in house: inout House, reading: (Range<Frame>) -> MeterReading?) {
        let heard = report.heard(at: now)
        // A guard that a reload brings begins with the reload.
        guard house.guardian != nil else { return heardUntil = heard }
        // The next visitor has a dose of their own, and must not find the sound turned down.
        if sessions != session || start == nil { house.beginSession() }
        if sessions != session, let start { heardUntil = max(heardUntil, start) }
        session = sessions
        let time = rate.seconds(in: heard - heardUntil)
        guard time >= Seconds(1) else { return }
        // Without a sound server nothing was heard.
        guard report.state != .waiting else { return heardUntil = heard }
        // A partial reading stands for the whole time. Without any, the time is accounted with the next reading.
        guard let reading = reading(heardUntil..<heard) else { return }
        heardUntil = heard
        house.hear(weightedMeanSquare: reading.weightedMeanSquare, for: time, on: day)
    }
}

extension OutputReport {
    /// Returns the frame that is heard at `now` (CLOCK_MONOTONIC, nanoseconds), the last rendered one at most.
    func heard(at now: Int64) -> Frame { min(clock.frame(at: now), rendered) }
}
