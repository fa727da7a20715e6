import Calendar

/// What stands before an app.
public enum Shield: String, CaseIterable, Codable, Sendable {
    /// The app can be bypassed, at a price.
    case shielded
    /// Bypassed, until its cooldown is over.
    case open
    /// The cat is at 0 HP: until midnight, and there is no bypass.
    case locked
    /// The focus window is closed, and the app costs nothing.
    case free
}

/// An app that was opened anyway.
struct OpenApp: Codable, Equatable, Sendable {
    /// The app, by its place in the day's plan.
    var app: Int
    /// The moment since which its use is not counted yet, in the piece's seconds.
    var since: Int
    /// When its shield returns, in the piece's seconds.
    var until: Int
    /// How long it may be open at most, in the piece's seconds.
    var cooldown: Int

    /// Sees to it, after the clock was set back, that the app is not open longer than its cooldown.
    mutating func bound(by now: Int) {
        since = min(since, now)
        until = min(until, now + cooldown)
    }
}

extension Cat {
    /// Returns the shield of an app, by its place, at a moment that the cat has come to.
    func shield(of app: Int, at now: Moment) -> Shield {
        guard window.acts(on: now.dayNumber, at: now.secondOfDay) else { return .free }
        if health.isDead { return .locked }
        return isOpen(app) ? .open : .shielded
    }

    private func opening(of app: Int) -> OpenApp? { openings.first { plan.counting == .global || $0.app == app } }

    func isOpen(_ app: Int) -> Bool { opening(of: app) != nil }

    /// When an app's shield returns; nil where it is there.
    func opensUntil(_ app: Int) -> Int? { opening(of: app)?.until }
}
