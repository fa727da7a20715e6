import Signals
import Units

// What there is to see of it.

extension ColorScroller {
    /// Those of `indices` that have been generated.
    public func cards(_ indices: Range<Int>) -> [Card] {
        indices.clamped(to: 0..<state.feed.generated).map { state.feed.card(at: $0, state.collection) }
    }

    public var tuning: Tuning { state.tuning }
    public var inventory: Inventory { state.collection.inventory }
    public var palettes: [Palette] { state.collection.palettes }

    public func leaderboard(at frame: Frame) -> Leaderboard {
        state.rivals.board(hour: state.timeOfDay.hour(at: seconds(frame)))
    }

    public func feedState(at frame: Frame) -> FeedState {
        let time = seconds(frame)
        return FeedState(
            time: time, index: state.feed.index, generated: state.feed.generated, blocksViewed: state.blocksViewed,
            uniqueBlocksSeen: state.seen.count, totalSwipes: state.totalSwipes, unlockCount: state.collection.unlocked.count,
            rewardDrought: rewardDrought, pausedUntil: state.pausedUntil > time ? state.pausedUntil : nil, pChurn: state.pChurn,
            interventions: state.interventions.count, toneFrequency: state.tone.pitch.rawValue, toneLevel: state.tone.level.rawValue)
    }

    public func record(at frame: Frame) -> SessionRecord? {
        SessionRecord(
            timestamp: state.timeOfDay.start, sessionLength: seconds(frame), activeScrollSeconds: state.pace.activeSeconds,
            blocksViewed: state.blocksViewed, uniqueBlocksSeen: state.seen.count, totalSwipes: state.totalSwipes,
            unlockCount: state.collection.unlocked.count, interventions: state.interventions.count, pChurn: state.pChurn)
    }
}
