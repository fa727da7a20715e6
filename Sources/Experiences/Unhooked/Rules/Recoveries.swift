import Calendar

/// What Gems heal.
public enum Recovery: String, CaseIterable, Codable, Sendable {
    case cure, revive, restart

    func rule(_ configuration: Unhooked.Configuration) -> Unhooked.Configuration.RecoveryRule {
        switch self {
        case .cure: configuration.recovery.cure
        case .revive: configuration.recovery.revive
        case .restart: configuration.recovery.restart
        }
    }

    /// What it is for.
    var heals: Health { self == .cure ? .sick : .dead }
    var kind: Movement.Kind { self == .cure ? .cure : self == .revive ? .revive : .restart }
}

/// When which was used.
struct Recoveries: Codable, Equatable, Sendable {
    struct Use: Codable, Equatable, Sendable {
        var recovery: Recovery
        /// The moment of the use, in the piece's seconds.
        var at: Int
    }

    /// No window is longer, in days.
    static let longestWindow = 366
    static let mostUses = 300

    /// Oldest first.
    private(set) var uses: [Use] = []

    private func times(_ recovery: Recovery) -> [Int] { uses.filter { $0.recovery == recovery }.map(\.at) }

    /// Returns how many uses count in the window at `now`.
    func used(_ recovery: Recovery, _ window: Unhooked.Configuration.RecoveryRule.Window, at now: Int) -> Int {
        times(recovery).count { now - $0 < window.days * Moment.day }
    }

    /// When it can be used next, in the piece's seconds: at `now` or later.
    func next(_ recovery: Recovery, _ rule: Unhooked.Configuration.RecoveryRule, at now: Int) -> Int {
        let times = times(recovery)
        let cooled = (times.last ?? .min / 2) + rule.cooldownHours * 3_600
        guard let window = rule.window, times.count >= window.most else { return max(now, cooled) }
        // As soon as the oldest of as many has left the window.
        return max(now, cooled, times[times.count - window.most] + window.days * Moment.day)
    }

    mutating func note(_ recovery: Recovery, at now: Int) {
        uses = (uses + [Use(recovery: recovery, at: now)]).suffix(Self.mostUses)
    }

    /// The time has come to `now`. What no window can have is forgotten, and after the clock was set back nothing was in the future.
    mutating func bound(by now: Int) {
        uses.removeAll { now - $0.at >= Self.longestWindow * Moment.day }
        for index in uses.indices { uses[index].at = min(uses[index].at, now) }
    }

    /// The piece's clock runs at another speed.
    mutating func move(by seconds: Int) {
        for index in uses.indices { uses[index].at += seconds }
    }
}
