import Calendar

/// The state of an app's shield, which decides what happens when somebody opens the app.
public enum Shield: String, CaseIterable, Codable, Sendable {
    /// The app can be opened in spite of its shield, at a price.
    case shielded
    /// The app was bypassed and stays open until its cooldown is over.
    case open
    /// The cat is at 0 HP: no app can be bypassed before midnight.
    case locked
    /// The focus window is closed: opening the app costs nothing.
    case free
}

/// An app that was opened in spite of its shield.
struct OpenApp: Codable, Equatable, Sendable {
    /// The app's index in the day's plan.
    var app: Int
    /// The time up to which the app's use has been counted, in the piece's seconds.
    var since: Int
    /// When the app's shield returns, in the piece's seconds.
    var until: Int
    /// How long the app may be open at most, in the piece's seconds.
    var cooldown: Int

    /// Limits the time that the app stays open to `cooldown`, counted from `now`. It can be longer after the clock was set back.
    mutating func bound(by now: Int) {
        since = min(since, now)
        until = min(until, now + cooldown)
    }
}

extension Cat {
    /// Returns the state of the shield of the app with the index `app`. The cat must have been brought up to `now`.
    func shield(of app: Int, at now: Moment) -> Shield {
        guard window.acts(on: now.dayNumber, at: now.secondOfDay) else { return .free }
        if health.isDead { return .locked }
        return isOpen(app) ? .open : .shielded
    }

    private func opening(of app: Int) -> OpenApp? { openings.first { plan.counting == .global || $0.app == app } }

    func isOpen(_ app: Int) -> Bool { opening(of: app) != nil }

    /// Returns when an app's shield returns, in the piece's seconds; nil where the app is not open.
    func opensUntil(_ app: Int) -> Int? { opening(of: app)?.until }
}

/// Opening an app in spite of its shield.
extension Cat {
    /// What it has cost to open a shielded app (a bypass).
    struct Loss: Equatable, Sendable {
        /// The app's index in the plan.
        var app: Int
        /// The health that was lost, in parts.
        var lost: Int
        /// The bands that were crossed for the first time today, the highest first.
        var bands: [Band]
    }

    /// Opens the shielded app `app` for as long as the cooldown. An app whose own health is at 0 opens, too, and costs nothing more. When
    /// the cat's last health is lost, all apps are locked at once. Returns what the opening has cost.
    mutating func bypass(_ app: Int, at now: Moment) -> Loss {
        let before = health.total
        let lost = health.bypass(app)
        let crossed = Band.crossed(from: before, to: health.total).filter { !today.bands.contains($0) }
        today.bands += crossed
        today.bypasses[app] = min(Today.mostBypasses, today.bypasses[app] + 1)
        today.firstUse = today.firstUse ?? now.secondOfDay
        today.lastUse = now.secondOfDay
        if lost > 0 {
            let point = Today.Point(second: now.secondOfDay, app: app, parts: health.total)
            today.points = (today.points + [point]).suffix(Today.mostPoints)
        }
        if health.isDead {
            today.terminalAt = now.secondOfDay
            // The terminal message replaces the evening's.
            today.hasNightly = true
            close(openings.map(\.app), at: now)
        } else {
            let seconds = cooldown * 60
            openings.append(OpenApp(app: app, since: now.seconds, until: now.seconds + seconds, cooldown: seconds))
        }
        return Loss(app: app, lost: lost, bands: crossed)
    }

    /// Closes the apps `apps`, as far as they are open, before their time is over. Returns the closed ones.
    @discardableResult mutating func close(_ apps: [Int], at now: Moment) -> [Int] {
        countUse(until: now.seconds)
        let closing = openings.map(\.app).filter(apps.contains)
        openings.removeAll { closing.contains($0.app) }
        return closing
    }
}

/// Tracking: an app counts as used from its bypass until its shield is back.
extension Cat {
    /// Returns the use of an app today up to now, in the piece's seconds.
    func use(of app: Int, at now: Moment) -> Int {
        today.use[app] + openings.reduce(0) { $0 + ($1.app == app ? max(0, min($1.until, now.seconds) - $1.since) : 0) }
    }

    /// Returns the use of all apps today up to now, in the piece's seconds.
    func use(at now: Moment) -> Int { plan.apps.indices.reduce(0) { $0 + use(of: $1, at: now) } }

    /// Adds to today's figures the use of all open apps up to `moment`, which is in the piece's seconds.
    mutating func countUse(until moment: Int) {
        for index in openings.indices {
            let end = min(openings[index].until, moment)
            guard end > openings[index].since else { continue }
            today.use[openings[index].app] += end - openings[index].since
            openings[index].since = end
        }
    }
}

/// The goal for a day's use.
enum Goal {
    /// The goals that may be chosen, in minutes, in steps of `step`.
    static let range = 180...480
    static let step = 30
}

/// The hours in which shields act, for each day of the week. Outside of them, opening an app costs nothing.
struct FocusWindow: Equatable, Sendable {
    /// Hours from one minute of the day to another, 0…1,440. If the end is not after the start, it lies on the next day.
    struct Hours: Equatable, Sendable {
        var from: Int
        var to: Int

        static let allDay = Hours(from: 0, to: 1_440)

        /// The hours as a range of seconds. Second 0 is the midnight at which the day begins on which the hours begin, so hours that last
        /// past the next midnight end after second 86,400.
        var seconds: Range<Int> { from * 60..<(to > from ? to : to + 1_440) * 60 }
    }

    /// The hours of each day of the week, Monday first; nil for a day on which shields do not act.
    private(set) var days: [Hours?]

    static let always = FocusWindow(days: Array(repeating: .allDay, count: 7))

    init(days: [Hours?]) { self.days = days }

    mutating func set(_ hours: Hours?, on weekdays: Weekdays) {
        for index in days.indices where weekdays.contains(Weekdays(rawValue: 1 << UInt8(index))) { days[index] = hours }
    }

    /// Returns the hours of the day with this number. Day 0 is 1970-01-01, a Thursday.
    private func hours(on day: Int) -> Hours? { days[((day + 3) % 7 + 7) % 7] }

    /// Whether shields act at a second of the day `day`. They act in the hours of that day, and in the rest of the hours of the day before,
    /// if those last past midnight.
    func acts(on day: Int, at second: Int) -> Bool {
        hours(on: day)?.seconds.contains(second) == true || hours(on: day - 1)?.seconds.contains(second + Moment.day) == true
    }

    /// Returns the seconds from `second` of the day `day` until shields begin or cease to act; nil where they never do.
    func turn(after second: Int, on day: Int) -> Int? {
        let now = acts(on: day, at: second)
        // The hours repeat every week, so a search of eight days is enough.
        for later in day...day + 7 {
            let waits = ([0] + edges(on: later)).map { edge in (later - day) * Moment.day + edge - second }
            let turn = waits.sorted().first { wait in
                let moment = second + wait
                return wait > 0 && acts(on: day + moment / Moment.day, at: moment % Moment.day) != now
            }
            if let turn { return turn }
        }
        return nil
    }

    /// Returns the times on the day `day` at which the focus window may open or close, in seconds of the day, 1…86,400.
    func edges(on day: Int) -> [Int] {
        let own = hours(on: day).map { [$0.seconds.lowerBound, $0.seconds.upperBound] } ?? []
        let before = hours(on: day - 1).map { [$0.seconds.upperBound - Moment.day] } ?? []
        return (own + before).filter { (1...Moment.day).contains($0) }
    }
}

/// The window is encoded as a list with an entry for each day of the week: the two minutes of the day, or an empty list where shields do
/// not act.
extension FocusWindow: Codable {
    init(from decoder: any Decoder) throws {
        days = try [[Int]](from: decoder).map { $0.count == 2 ? Hours(from: $0[0], to: $0[1]) : nil }
    }

    func encode(to encoder: any Encoder) throws { try days.map { $0.map { [$0.from, $0.to] } ?? [] }.encode(to: encoder) }
}
