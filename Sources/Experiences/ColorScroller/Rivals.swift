import Signals

/// The rivals, who do not exist: their scores are a function of the seed and the hour.
struct Rivals: Codable, Equatable, Sendable {
    private static let names = [
        "void_echo", "pixel_drift", "dead_scroll", "neon_ghost", "lost_thumb", "glass_tab", "null_garden", "late_signal",
        "soft_static", "mono_lisa", "hex_bloom", "idle_hands", "night_feed", "zero_inbox", "paper_cut", "slow_refresh",
    ]
    /// A rival has each of these scores at least, and less than the next: whoever has viewed ten cards has passed somebody, and only an
    /// addict passes all.
    private static let floors = [6, 10, 16, 26, 42, 68, 110, 180, 290, 470, 900]

    private let draws: Draws
    /// The visitor's last session.
    private let lastScore: Int?

    init(seed: UInt64, lastScore: Int?) {
        draws = Draws(seed, for: .leaderboard)
        self.lastScore = lastScore
    }

    func board(hour: Int) -> Leaderboard {
        var rows = rivals(hour: hour)
        guard let lastScore else { return Leaderboard(rows: rows) }
        // The last of all makes room.
        rows.removeLast()
        rows.append(Leaderboard.Row(name: "you", score: lastScore, isVisitor: true))
        return Leaderboard(rows: rows.sorted { $0.score != $1.score ? $0.score > $1.score : $0.name < $1.name })
    }

    /// About the best of those whom a visitor with so many cards viewed has passed, or the last of all if it is nobody yet.
    func taunt(viewed: Int, hour: Int) -> String {
        let rivals = board(hour: hour).rows.filter { !$0.isVisitor }
        if let passed = rivals.first(where: { $0.score < viewed }) { return "You just passed \(passed.name)!" }
        return "You are about to pass \(rivals[rivals.count - 1].name)!"
    }

    /// Ten of the names, in another order every hour; the best first.
    private func rivals(hour: Int) -> [Leaderboard.Row] {
        let base = hour * 2 * Self.names.count
        let names = Self.names.indices.sorted { draws.bits(base + $0) < draws.bits(base + $1) }.map { Self.names[$0] }
        let rows = zip(Self.floors, Self.floors.dropFirst()).enumerated().map { place, bounds in
            let score = bounds.0 + draws.below(bounds.1 - bounds.0, base + Self.names.count + place)
            return Leaderboard.Row(name: names[place], score: score)
        }
        return rows.reversed()
    }
}
