/// One scroll event: what was known about the visitor when a card came to be shown.
public struct ScrollRecord: Encodable, Equatable, Sendable {
    /// Seconds since 1970-01-01 in UTC.
    public var timestamp: Double
    public var cardIndex: Int
    /// Each view of a card counts.
    public var blocksViewed: Int
    /// Each card counts once.
    public var uniqueBlocksSeen: Int
    public var unlockCount: Int
    /// Views since the last unlock.
    public var rewardDrought: Int
    /// Screen heights, which are cards, per second.
    public var velocity: Double
    /// By how much the velocity grows from card to card.
    public var velocityTrend: Double
    /// Seconds.
    public var sessionLength: Double
    public var activeScrollSeconds: Double
    /// 0 from midnight, 1 from 6, 2 from 12, 3 from 18 o'clock, local time.
    public var timeOfDayBucket: Int
    /// Nil for a grey card and the leaderboard.
    public var rarityShown: Rarity?
    /// P(churn), 0…1.
    public var pChurn: Double

    public init(timestamp: Double, cardIndex: Int, blocksViewed: Int, uniqueBlocksSeen: Int, unlockCount: Int,
                rewardDrought: Int, velocity: Double, velocityTrend: Double, sessionLength: Double, activeScrollSeconds: Double,
                timeOfDayBucket: Int, rarityShown: Rarity?, pChurn: Double) {
        self.timestamp = timestamp
        self.cardIndex = cardIndex
        self.blocksViewed = blocksViewed
        self.uniqueBlocksSeen = uniqueBlocksSeen
        self.unlockCount = unlockCount
        self.rewardDrought = rewardDrought
        self.velocity = velocity
        self.velocityTrend = velocityTrend
        self.sessionLength = sessionLength
        self.activeScrollSeconds = activeScrollSeconds
        self.timeOfDayBucket = timeOfDayBucket
        self.rarityShown = rarityShown
        self.pChurn = pChurn
    }
}

/// What a session came to.
public struct SessionRecord: Encodable, Equatable, Sendable {
    /// Seconds since 1970-01-01 in UTC, when it began.
    public var timestamp: Double
    /// Seconds until the visitor's last event.
    public var sessionLength: Double
    public var activeScrollSeconds: Double
    public var blocksViewed: Int
    public var uniqueBlocksSeen: Int
    public var totalSwipes: Int
    public var unlockCount: Int
    public var interventions: Int
    /// Of the last scroll; nil when there was none.
    public var pChurn: Double?

    public init(timestamp: Double, sessionLength: Double, activeScrollSeconds: Double, blocksViewed: Int, uniqueBlocksSeen: Int,
                totalSwipes: Int, unlockCount: Int, interventions: Int, pChurn: Double?) {
        self.timestamp = timestamp
        self.sessionLength = sessionLength
        self.activeScrollSeconds = activeScrollSeconds
        self.blocksViewed = blocksViewed
        self.uniqueBlocksSeen = uniqueBlocksSeen
        self.totalSwipes = totalSwipes
        self.unlockCount = unlockCount
        self.interventions = interventions
        self.pChurn = pChurn
    }
}
