import Calendar

/// A remedy that Gems pay for.
public enum Recovery: String, CaseIterable, Codable, Sendable {
    case cure, revive, restart

    func rule(_ configuration: Unhooked.Configuration) -> Unhooked.Configuration.RecoveryRule {
        switch self {
        case .cure: configuration.recovery.cure
        case .revive: configuration.recovery.revive
        case .restart: configuration.recovery.restart
        }
    }

    /// The state of health that the remedy ends.
    var heals: Health { self == .cure ? .sick : .dead }
    var kind: Movement.Kind { self == .cure ? .cure : self == .revive ? .revive : .restart }
}

/// When each remedy was used.
struct Recoveries: Codable, Equatable, Sendable {
    struct Use: Codable, Equatable, Sendable {
        var recovery: Recovery
        /// The moment of the use, in the piece's seconds.
        var at: Int
    }

    /// The longest window that a configuration may set, in days.
    static let longestWindow = 366
    static let mostUses = 300

    /// The uses, oldest first.
    private(set) var uses: [Use] = []

    private func times(_ recovery: Recovery) -> [Int] { uses.filter { $0.recovery == recovery }.map(\.at) }

    /// Returns the number of uses within the window that ends at `now`.
    func used(_ recovery: Recovery, _ window: Unhooked.Configuration.RecoveryRule.Window, at now: Int) -> Int {
        times(recovery).count { now - $0 < window.days * Moment.day }
    }

    /// Returns when the remedy can be used next, in the piece's seconds: `now` or later.
    func next(_ recovery: Recovery, _ rule: Unhooked.Configuration.RecoveryRule, at now: Int) -> Int {
        let times = times(recovery)
        let cooled = (times.last ?? .min / 2) + rule.cooldownHours * 3_600
        guard let window = rule.window, times.count >= window.most else { return max(now, cooled) }
        // A use is free again when the oldest of the last `most` uses has left the window.
        return max(now, cooled, times[times.count - window.most] + window.days * Moment.day)
    }

    mutating func note(_ recovery: Recovery, at now: Int) {
        uses = (uses + [Use(recovery: recovery, at: now)]).suffix(Self.mostUses)
    }

    /// Removes uses that are too old for any window. After the clock was set back, uses in the future are moved to `now`.
    mutating func bound(by now: Int) {
        uses.removeAll { now - $0.at >= Self.longestWindow * Moment.day }
        for index in uses.indices { uses[index].at = min(uses[index].at, now) }
    }

    /// Adapts to a piece's clock of another speed: moves the times of all uses by `seconds`.
    mutating func move(by seconds: Int) {
        for index in uses.indices { uses[index].at += seconds }
    }
}
