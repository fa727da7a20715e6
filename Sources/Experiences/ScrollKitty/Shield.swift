import Calendar

/// What stands before an app.
public enum Shield: String, CaseIterable, Codable, Sendable {
    /// It can be bypassed, at a price.
    case shielded
    /// Bypassed, until its cooldown is over.
    case open
    /// The cat is at 0 HP: until midnight, and there is no bypass.
    case locked
    /// Outside the focus window.
    case free
}

/// An app that was opened anyway.
struct OpenApp: Codable, Equatable, Sendable {
    /// By its place in the day's plan.
    var app: Int
    /// From when on its use is not counted yet, in the piece's seconds.
    var since: Int
    /// When its shield returns, in the piece's seconds.
    var until: Int
    /// How long it may be open at most, in the piece's seconds.
    var cooldown: Int

    /// After the clock was set back: nothing is open longer than its cooldown.
    mutating func bound(by now: Int) {
        since = min(since, now)
        until = min(until, now + cooldown)
    }
}

extension Cat {
    /// Of an app by its place, at a moment that the cat has come to.
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
