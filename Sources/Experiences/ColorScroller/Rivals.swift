import Experience
import Signals

/// The leaderboard's rivals, who do not exist. Their names and scores depend only on the seed, the course and the hour. All visits of a
/// house have the same seed, so that its visitors see one board in an hour.
struct Rivals: Codable, Equatable, Sendable {
    private static let names = [
        "void_echo", "pixel_drift", "dead_scroll", "neon_ghost", "lost_thumb", "glass_tab", "null_garden", "late_signal",
        "soft_static", "mono_lisa", "hex_bloom", "idle_hands", "night_feed", "zero_inbox", "paper_cut", "slow_refresh",
    ]
    /// The lowest scores of the ten rivals on the authors' course. A rival's score is below the lowest score of the next. So somebody who
    /// has viewed ten cards has passed a rival, and hardly anybody passes all. The last number bounds the best rival's score.
    private static let floors = [6, 10, 16, 26, 42, 68, 110, 180, 290, 470, 900]

    /// The seed from which names and scores are drawn.
    let seed: UInt64
    private let draws: Draws
    /// The course of this visit. The scores were made for the authors' course, and are scaled to this one.
    var course: Course
    /// The result of the last visit that counts; nil when there was none.
    let last: LastVisit?

    /// The number of places on the leaderboard: those of the ten rivals, and one for a visitor behind all of them.
    static let lastRank = floors.count

    init(seed: UInt64, last: LastVisit?, on course: Course = .authors) {
        self.course = course
        self.seed = seed
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

    /// Returns the rank of a visitor who has viewed `viewed` cards, 1 for the best. Rivals with at least as many cards rank before the
    /// visitor.
    func rank(viewed: Int, hour: Int) -> Int { 1 + scores(hour: hour).count { $0 >= viewed } }

    /// Returns the name of the best rival with fewer than `viewed` cards; nil if there is none.
    func passed(viewed: Int, hour: Int) -> String? { rivals(hour: hour).first { $0.score < viewed }?.name }

    /// Returns a taunt about the best rival with fewer than `viewed` cards or, if there is none, about the last of all rivals.
    func taunt(viewed: Int, hour: Int) -> Taunt {
        let rivals = board(hour: hour).rows.filter { !$0.isVisitor }
        if let passed = rivals.first(where: { $0.score < viewed }) { return Taunt(.passed, passed.name) }
        return Taunt(.ahead, rivals[rivals.count - 1].name)
    }

    /// Returns the ten rivals of an hour, the best first. Their names and scores are drawn anew each hour.
    private func rivals(hour: Int) -> [Leaderboard.Row] {
        let base = base(hour)
        let names = Self.names.indices.sorted { draws.bits(base + $0) < draws.bits(base + $1) }.map { Self.names[$0] }
        return zip(names, scores(hour: hour)).map { Leaderboard.Row(name: $0, score: $1) }.reversed()
    }

    /// Returns the rivals' scores in an hour, the lowest first.
    private func scores(hour: Int) -> [Int] {
        var before = 0
        let floors = Self.floors.map { floor in
            before = max(before + 1, course.cards(floor))
            return before
        }
        return zip(floors, floors.dropFirst()).enumerated().map { index, bounds in
            bounds.0 + draws.below(bounds.1 - bounds.0, base(hour) + Self.names.count + index)
        }
    }

    /// Returns the index of the first random number that the leaderboard of an hour uses.
    private func base(_ hour: Int) -> Int { hour * 2 * Self.names.count }
}

extension ColorScroller {
    /// Returns the announcements of a new leaderboard, and of the visitor's rank if that has changed. Returns nothing if no other hour has
    /// begun.
    mutating func tellHour(at time: Double) -> Effects {
        let hour = state.timeOfDay.hour(at: time)
        guard hour != state.hour else { return Effects() }
        state.hour = hour
        return Effects(announcements: [Announcement(state.rivals.board(hour: hour))]) + tellRank(at: time)
    }

    /// Returns the announcement of the visitor's rank; nothing if the rank has not changed since it was last announced.
    mutating func tellRank(at time: Double) -> Effects {
        let hour = state.timeOfDay.hour(at: time)
        let rank = state.rivals.rank(viewed: state.blocksViewed, hour: hour)
        guard rank != state.rank else { return Effects() }
        state.rank = rank
        let passed = state.rivals.passed(viewed: state.blocksViewed, hour: hour)
        return Effects(announcements: [Announcement(RankChange(rank: rank, of: Rivals.lastRank, passed: passed))])
    }
}
