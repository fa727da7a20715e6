import Experience
import Signals

/// The rivals, who do not exist: their scores are a function of the seed and the hour.
struct Rivals: Codable, Equatable, Sendable {
    private static let names = [
        "void_echo", "pixel_drift", "dead_scroll", "neon_ghost", "lost_thumb", "glass_tab", "null_garden", "late_signal",
        "soft_static", "mono_lisa", "hex_bloom", "idle_hands", "night_feed", "zero_inbox", "paper_cut", "slow_refresh",
    ]
    /// The lowest scores of the rivals; each has less than the next: whoever has viewed ten cards has passed somebody, and only an addict
    /// passes all.
    private static let floors = [6, 10, 16, 26, 42, 68, 110, 180, 290, 470, 900]

    private let draws: Draws
    /// The course to which the scores keep the proportions that they have to the authors'.
    var course: Course
    /// The visitor's last session.
    let last: LastVisit?

    /// The number of places: the rivals', and the visitor's behind them all.
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

    /// The rank of a visitor who has viewed `viewed` cards, 1 for the best. Rivals with fewer cards are behind.
    func rank(viewed: Int, hour: Int) -> Int { 1 + scores(hour: hour).count { $0 >= viewed } }

    /// The best of the rivals behind a visitor who has viewed `viewed` cards; nil when nobody is behind.
    func passed(viewed: Int, hour: Int) -> String? { rivals(hour: hour).first { $0.score < viewed }?.name }

    /// A taunt that names the best of the rivals behind a visitor who has viewed `viewed` cards, or the last of all rivals if nobody is
    /// behind yet.
    func taunt(viewed: Int, hour: Int) -> Taunt {
        let rivals = board(hour: hour).rows.filter { !$0.isVisitor }
        if let passed = rivals.first(where: { $0.score < viewed }) { return Taunt(.passed, passed.name) }
        return Taunt(.ahead, rivals[rivals.count - 1].name)
    }

    /// The rivals, ten of the names in another order every hour; the best first.
    private func rivals(hour: Int) -> [Leaderboard.Row] {
        let base = base(hour)
        let names = Self.names.indices.sorted { draws.bits(base + $0) < draws.bits(base + $1) }.map { Self.names[$0] }
        return zip(names, scores(hour: hour)).map { Leaderboard.Row(name: $0, score: $1) }.reversed()
    }

    /// The rivals' scores, the lowest first.
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

    /// The number of an hour's first draw.
    private func base(_ hour: Int) -> Int { hour * 2 * Self.names.count }
}

extension ColorScroller {
    /// Tells the leaderboard, when its hour has come.
    mutating func tellHour(at time: Double) -> Effects {
        let hour = state.timeOfDay.hour(at: time)
        guard hour != state.hour else { return Effects() }
        state.hour = hour
        return Effects(announcements: [Announcement(state.rivals.board(hour: hour))]) + tellRank(at: time)
    }

    /// Tells the visitor's rank, when it is another.
    mutating func tellRank(at time: Double) -> Effects {
        let hour = state.timeOfDay.hour(at: time)
        let rank = state.rivals.rank(viewed: state.blocksViewed, hour: hour)
        guard rank != state.rank else { return Effects() }
        state.rank = rank
        let passed = state.rivals.passed(viewed: state.blocksViewed, hour: hour)
        return Effects(announcements: [Announcement(RankChange(rank: rank, of: Rivals.places, passed: passed))])
    }
}
