import Signals

/// The time for which nobody has touched the screen while a visitor is there.
struct Away: Equatable, Sendable {
    /// Seconds without hands that earn Gems once.
    static let seconds = 10.0
    /// How often a day earns Gems so; with the house's pet, a visit.
    static let most = 6

    /// The moment since which hands are off, in seconds since 1970-01-01 in UTC; nil while one is on, and before the first of a visit.
    private var since: Double?
    private var isHeld = false

    /// When it has lasted long enough; nil while it does not go on.
    var due: Double? { since.map { $0 + Self.seconds } }

    /// Hands touch or let go, as `usual` says.
    mutating func feel(_ usual: [Cue], at now: Double) {
        for cue in usual {
            switch cue {
            case .toneGate(open: let isOpen):
                isHeld = isOpen
                since = isOpen ? nil : now
            case .stop:
                if isHeld { since = now }
                isHeld = false
            default: break
            }
        }
    }

    /// Somebody does something, with no finger that the engine knows of.
    mutating func note(at now: Double) { if !isHeld { since = now } }

    /// Whether it has lasted long enough by `now`; then it begins anew. A clock that was set back begins it anew, too.
    mutating func isOver(at now: Double) -> Bool {
        guard let since else { return false }
        guard now >= since else {
            self.since = now
            return false
        }
        guard now >= since + Self.seconds else { return false }
        self.since = now
        return true
    }

    /// The visitor has gone.
    mutating func stop() { since = nil }
}
