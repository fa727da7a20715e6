import Experience
import Signals

// What is told of the rivals when the hour turns, and when the visitor passes one.
extension ColorScroller {
    /// The leaderboard, when its hour has come.
    mutating func tellHour(at time: Double) -> Effects {
        let hour = state.timeOfDay.hour(at: time)
        guard hour != state.hour else { return Effects() }
        state.hour = hour
        return Effects(announcements: [Announcement(state.rivals.board(hour: hour))]) + tellRank(at: time)
    }

    /// The visitor's rank, when it is another.
    mutating func tellRank(at time: Double) -> Effects {
        let hour = state.timeOfDay.hour(at: time)
        let rank = state.rivals.rank(viewed: state.blocksViewed, hour: hour)
        guard rank != state.rank else { return Effects() }
        state.rank = rank
        let passed = state.rivals.passed(viewed: state.blocksViewed, hour: hour)
        return Effects(announcements: [Announcement(RankChange(rank: rank, of: Rivals.places, passed: passed))])
    }

    /// What there is to count now.
    var counters: Counters {
        Counters(blocksViewed: state.blocksViewed, uniqueBlocksSeen: state.seen.count, totalSwipes: state.totalSwipes,
                 unlockCount: state.collection.unlocked.count, rewardDrought: rewardDrought, interventions: state.interventions.count,
                 palettes: palettes.count, rank: state.rank, pChurn: state.pChurn,
                 toneLevel: state.tone.level.rawValue)
    }
}
