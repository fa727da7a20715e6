import Signals

extension ColorScroller {
    /// What is known of the visitor now that card `shown` is shown, by the number of the skin it carries; P(churn) follows from it.
    mutating func record(of shown: Int?, at time: Double) -> ScrollRecord {
        let snapshot = ChurnSnapshot(
            velocity: state.pace.velocity, velocityTrend: state.pace.trend, rewardDrought: rewardDrought,
            sessionFatigue: time - state.began,
            engagementDepth: time > state.began ? state.pace.activeSeconds / (time - state.began) : 1)
        let pChurn = Self.predictor.probability(snapshot)
        state.pChurn = pChurn
        return ScrollRecord(
            timestamp: state.timeOfDay.start + time, cardIndex: state.feed.index, blocksViewed: state.blocksViewed,
            uniqueBlocksSeen: state.seen.count, unlockCount: state.collection.unlocked.count, rewardDrought: rewardDrought,
            velocity: snapshot.velocity, velocityTrend: snapshot.velocityTrend, sessionLength: time,
            activeScrollSeconds: state.pace.activeSeconds, timeOfDayBucket: state.timeOfDay.bucket(at: time),
            rarityShown: shown.map { state.collection.rarity(of: $0) }, pChurn: pChurn)
    }
}
