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
    /// Their scores keep the proportions that they have to the authors' course.
    var course: Course
    /// The visitor's last session.
    let last: LastVisit?

    /// The rivals', and the visitor's behind them all.
    static let places = floors.count

    init(seed: UInt64, last: LastVisit?, on course: Course = .authors) {
        self.course = course
        draws = Draws(seed, for: .leaderboard)
        self.last = last
    }

    func board(hour: Int) -> Leaderboard {
        var rows = rivals(hour: hour)
        guard let last else { return Leaderboard(rows: rows, lastSession: nil) }
        // The last of all makes room.
        rows.removeLast()
        rows.append(Leaderboard.Row(name: "you", score: last.cards, isVisitor: true))
        return Leaderboard(rows: rows.sorted { $0.score != $1.score ? $0.score > $1.score : $0.name < $1.name }, lastSession: last)
    }

    /// Of a visitor with so many cards viewed, 1 for the best: whoever has fewer is behind.
    func rank(viewed: Int, hour: Int) -> Int { 1 + scores(hour: hour).count { $0 >= viewed } }

    /// The best of those behind a visitor with so many cards viewed; nil when nobody is.
    func passed(viewed: Int, hour: Int) -> String? { rivals(hour: hour).first { $0.score < viewed }?.name }

    /// About the best of those whom a visitor with so many cards viewed has passed, or the last of all if it is nobody yet.
    func taunt(viewed: Int, hour: Int) -> Taunt {
        let rivals = board(hour: hour).rows.filter { !$0.isVisitor }
        if let passed = rivals.first(where: { $0.score < viewed }) { return Taunt(.passed, passed.name) }
        return Taunt(.ahead, rivals[rivals.count - 1].name)
    }

    /// Ten of the names, in another order every hour; the best first.
    private func rivals(hour: Int) -> [Leaderboard.Row] {
        let base = base(hour)
        let names = Self.names.indices.sorted { draws.bits(base + $0) < draws.bits(base + $1) }.map { Self.names[$0] }
        return zip(names, scores(hour: hour)).map { Leaderboard.Row(name: $0, score: $1) }.reversed()
    }

    /// The lowest first.
    private func scores(hour: Int) -> [Int] {
        var before = 0
        let floors = Self.floors.map { floor in
            before = max(before + 1, course.cards(floor))
            return before
        }
        return zip(floors, floors.dropFirst()).enumerated().map { place, bounds in
            bounds.0 + draws.below(bounds.1 - bounds.0, base(hour) + Self.names.count + place)
        }
    }

    /// Of an hour's draws.
    private func base(_ hour: Int) -> Int { hour * 2 * Self.names.count }
}
