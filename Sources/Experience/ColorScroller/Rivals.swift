import Signals

/// The rivals, who do not exist: their scores are a function of the seed and the hour.
struct Rivals: Codable, Equatable, Sendable {
    private static let names = [
        "void_echo", "pixel_drift", "dead_scroll", "neon_ghost", "lost_thumb", "glass_tab", "null_garden", "late_signal",
        "soft_static", "mono_lisa", "hex_bloom", "idle_hands", "night_feed", "zero_inbox", "paper_cut", "slow_refresh",
    ]
    /// Rows of a board.
    static let rows = 10
    /// Cards viewed: from what a short visit has to what only an addict has.
    private static let scores = 40..<900

    private let draws: Draws
    /// The visitor's last session.
    private let lastScore: Int?

    init(seed: UInt64, lastScore: Int?) {
        draws = Draws(seed, for: .leaderboard)
        self.lastScore = lastScore
    }

    func board(hour: Int) -> Leaderboard {
        let rivals = rivals(hour: hour)
        guard let lastScore else { return Leaderboard(rows: Array(rivals.prefix(Self.rows))) }
        let visitor = Leaderboard.Row(name: "you", score: lastScore, isVisitor: true)
        return Leaderboard(rows: (rivals.prefix(Self.rows - 1) + [visitor]).sorted(by: Self.isAhead))
    }

    /// Whom a visitor with so many cards viewed has passed last: the best of those behind, or else the last of all.
    func passed(by viewed: Int, hour: Int) -> String {
        let rivals = rivals(hour: hour)
        return (rivals.first { $0.score <= viewed } ?? rivals[rivals.count - 1]).name
    }

    /// The best first.
    private func rivals(hour: Int) -> [Leaderboard.Row] {
        Self.names.enumerated().map { place, name in
            let draw = draws.below(Self.scores.count, hour * Self.names.count + place)
            return Leaderboard.Row(name: name, score: Self.scores.lowerBound + draw)
        }.sorted(by: Self.isAhead)
    }

    private static func isAhead(_ a: Leaderboard.Row, _ b: Leaderboard.Row) -> Bool {
        a.score != b.score ? a.score > b.score : a.name < b.name
    }
}
