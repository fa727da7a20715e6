import Calendar
import Fields
import Signals
import Units
import Venue

/// What is decided about the sound besides the piece: theme, preset and volume, by schedule, by hand, and by the hearing guard. A plain
/// value: the caller gives the time.
struct House {
    /// What is to be heard from now on.
    struct Decision: Equatable {
        var theme: Theme
        /// −120…0 dB.
        var volume: Decibels
        /// How long going over to that volume takes.
        var fade: Seconds
    }

    private(set) var venue: Venue
    private(set) var themes: [String: Theme]
    private(set) var theme: Theme
    /// The theme that the settings name, and not somebody by hand.
    private var settingsTheme: Theme
    /// By hand.
    private(set) var chosen: ChosenPreset?
    /// The schedule's first edge after an instant; nil where there never is one.
    private var edge: (since: Int, next: Int?)?
    /// The schedule's.
    private(set) var choice: WeeklySchedule.Choice
    private(set) var guardian: HearingGuard?
    /// The day's dose while there is no guard.
    private var lastDay: HearingDay?
    /// The preset of the last decision.
    private var decided: String?
    /// When the schedule changes next, seconds since 1970-01-01 in UTC; nil for never.
    private(set) var nextChange: Int?
    /// When the schedule's preset is next one that is heard.
    private var nextOpening: Int?
    /// When it was last looked at, and ahead.
    private var looked = Int.min
    private var lookedAhead = 0
    /// Whether the clock could be believed then.
    private var isDated = false

    /// `day` and `chosen` are those of an earlier start.
    init(_ settings: LiveSettings, day: HearingDay? = nil, chosen: ChosenPreset? = nil) {
        venue = settings.venue
        themes = settings.themes
        theme = settings.theme
        settingsTheme = settings.theme
        choice = WeeklySchedule.Choice(hours: nil, preset: settings.venue.schedule.otherwise)
        guardian = settings.venue.hearing.map { HearingGuard($0, day: day) }
        lastDay = day
        self.chosen = chosen.flatMap { settings.venue.presets[$0.name] == nil ? nil : $0 }
    }

    var preset: String { chosen?.name ?? choice.preset }
    /// The day's dose; nil when it is unknown, or the day is.
    var day: HearingDay? { isDated ? guardian?.day ?? lastDay : nil }
    var isByHand: Bool { chosen != nil }
    var isThemeByHand: Bool { theme.name != settingsTheme.name }
    /// Whether visitors find it open: the schedule's preset, or one chosen by hand, is more than silence.
    var isOpen: Bool { [choice.preset, preset].contains(where: venue.isHeard) }
    /// While it is closed: when the schedule opens it, seconds since 1970-01-01 in UTC; nil for never.
    var opensAt: Int? { isOpen ? nil : nextOpening }

    /// Settings that have been read again. What was chosen by hand stays, where it still is there.
    mutating func change(to settings: LiveSettings) {
        venue = settings.venue
        // The new schedule counts from now on: an edge in its past takes nothing back.
        if isDated, chosen?.since != nil { chosen?.since = looked }
        edge = nil
        isDated = false
        looked = .min
        lookedAhead = 0
        themes = settings.themes
        // A theme chosen by hand whose file has become bad stays as it was.
        if settings.theme != settingsTheme {
            theme = settings.theme
        } else if let again = themes[theme.name] {
            theme = again
        }
        settingsTheme = settings.theme
        if let name = chosen?.name, venue.presets[name] == nil { chosen = nil }
        if let hearing = settings.venue.hearing {
            if guardian == nil { guardian = HearingGuard(hearing, day: lastDay) }
            guardian?.settings = hearing
        } else {
            lastDay = guardian?.day ?? lastDay
            guardian = nil
        }
    }

    /// By hand. Throws for a theme that is not there.
    mutating func use(theme name: String) throws(Fault) {
        guard let theme = themes[name] else { throw Self.unknown(name, of: themes.keys) }
        self.theme = theme
    }

    /// By hand, a theme that the settings need not know: it is there by its name from now on.
    mutating func use(_ theme: Theme) {
        themes[theme.name] = theme
        self.theme = theme
    }

    /// By hand, until the schedule changes; nil leaves it to the schedule again. Throws for a preset that is not there.
    mutating func use(preset name: String?) throws(Fault) {
        guard let name else { return chosen = nil }
        guard venue.presets[name] != nil else { throw Self.unknown(name, of: venue.presets.keys) }
        chosen = ChosenPreset(name: name)
    }

    private static func unknown(_ name: String, of names: some Sequence<String>) -> Fault {
        Fault(field: "name", expected: "one of " + names.sorted().joined(separator: ", "),
              found: "\"\(name)\"" + Spelling.hint(for: name, among: Array(names)))
    }

    /// Themes other than `theme` that have what `kind` plays by its name.
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

    /// Accounts what was heard; `day` is nil while nobody knows which it is.
    mutating func hear(weightedMeanSquare: Float, for time: Seconds, on day: Int?) {
        guardian?.account(weightedMeanSquare: weightedMeanSquare, for: time, on: day)
    }

    /// What is to be heard at an instant, seconds since 1970-01-01 in UTC; `utcOffset` is that of the local time at any.
    mutating func decide(at instant: Int, utcOffset: (Int) -> Int) -> Decision {
        look(at: instant, utcOffset)
        takeBack(at: instant, utcOffset)
        defer { decided = preset }
        let isGoingOver = decided != nil && decided != preset
        let preset = venue.presets[preset] ?? .normal
        let eased = guardian?.volume ?? .fullScale
        let volume = max(.silence, Decibels(preset.volume.rawValue + eased.rawValue))
        return Decision(theme: preset.applied(to: theme), volume: volume, fade: isGoingOver ? venue.schedule.fade : Self.easing)
    }

    /// At most once a second; looking ahead at most once a minute, because that is slow.
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

    /// The schedule's next edge ends a choice by hand, also if the program did not run then.
    private mutating func takeBack(at instant: Int, _ utcOffset: (Int) -> Int) {
        guard isDated, let chosen else { return }
        // A clock that was ahead must not keep the choice for years.
        let since = min(chosen.since ?? instant, instant)
        self.chosen?.since = since
        if edge?.since != since { edge = (since, venue.schedule.nextEdge(after: since, utcOffset: utcOffset)) }
        if let next = edge?.next, next <= instant { self.chosen = nil }
    }

    /// Of the guard's changes: short against the minutes it has.
    private static let easing = Seconds(2)
}
