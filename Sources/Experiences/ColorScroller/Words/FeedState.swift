import Signals
import Units

/// The answer to `feed.state`: where a visitor is.
public struct FeedState: Encodable, Equatable, Sendable {
    /// The seconds since the session's start.
    public var time: Double
    /// The index of the card that is shown.
    public var index: Int
    /// The number of cards there are so far; `feed.scroll` may go to any of them.
    public var generated: Int
    public var blocksViewed: Int
    public var uniqueBlocksSeen: Int
    public var totalSwipes: Int
    public var unlockCount: Int
    /// Views since the last unlock.
    public var rewardDrought: Int
    /// The moment until which the feed stands still, in seconds since the session's start; nil when it moves.
    public var pausedUntil: Double?
    /// The same moment by CLOCK_MONOTONIC, in nanoseconds.
    public var pausedUntilMonotonic: Int64?
    /// The seconds from now to that moment.
    public var pausedFor: Double?
    /// P(churn) at the last scroll, 0…1; nil before the first.
    public var pChurn: Double?
    public var interventions: Int
    public var palettes: Int
    /// The place among the rivals, 1 for the best.
    public var rank: Int
    /// The tone's frequency in Hz, whether or not it sounds.
    public var toneFrequency: Double
    /// The tone's level in dBFS, whether or not it sounds.
    public var toneLevel: Double

    init(time: Double, index: Int, generated: Int, blocksViewed: Int, uniqueBlocksSeen: Int, totalSwipes: Int, unlockCount: Int,
         rewardDrought: Int, pausedUntil: Double?, pChurn: Double?, interventions: Int, palettes: Int, rank: Int,
         toneFrequency: Double, toneLevel: Double) {
        self.time = time
        self.index = index
        self.generated = generated
        self.blocksViewed = blocksViewed
        self.uniqueBlocksSeen = uniqueBlocksSeen
        self.totalSwipes = totalSwipes
        self.unlockCount = unlockCount
        self.rewardDrought = rewardDrought
        self.pausedUntil = pausedUntil
        pausedFor = pausedUntil.map { Pause.remaining(until: $0, at: time) }
        self.pChurn = pChurn
        self.interventions = interventions
        self.palettes = palettes
        self.rank = rank
        self.toneFrequency = toneFrequency
        self.toneLevel = toneLevel
    }
}

extension FeedState: Clocked {
    public func clocked(_ moment: (Double) -> Int64) -> FeedState {
        var clocked = self
        clocked.pausedUntilMonotonic = pausedUntil.map(moment)
        return clocked
    }
}
