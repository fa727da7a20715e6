import Fields
import Signals

/// The announcement that a card is shown: all that it takes to draw the card, and what was known about the visitor.
@dynamicMemberLookup
public struct Scroll: AnnouncementBody {
    public var topic: String { "scroll" }
    public var record: ScrollRecord
    /// The card that is shown.
    public var card: Card
    /// The cards that were generated at the end of the feed.
    public var cards: [Card]
    /// The answer that `feed.state` would give. The card's own consequences, such as another rank, come after it.
    public var state: FeedState

    public subscript<Value>(dynamicMember path: KeyPath<ScrollRecord, Value>) -> Value { record[keyPath: path] }
}

extension Scroll {
    /// Writes the fields of record and state side by side: where both have a field, its value is the same.
    public func encode(to encoder: any Encoder) throws {
        try state.encode(to: encoder)
        try record.encode(to: encoder)
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(card, forKey: .init("card"))
        try container.encode(cards, forKey: .init("cards"))
    }
}

extension Scroll: Clocked {
    public func clocked(_ moment: (Double) -> Int64) -> Scroll {
        var clocked = self
        clocked.state = state.clocked(moment)
        return clocked
    }
}

/// What was known about the visitor when a card came to be shown.
public struct ScrollRecord: Encodable, Equatable, Sendable {
    /// Seconds since 1970-01-01 in UTC.
    public var timestamp: Double
    public var cardIndex: Int
    /// Views of cards; a card that is seen again counts again.
    public var blocksViewed: Int
    /// Different cards seen.
    public var uniqueBlocksSeen: Int
    public var unlockCount: Int
    /// Views since the last unlock.
    public var rewardDrought: Int
    /// Screen heights, which are cards, per second.
    public var velocity: Double
    /// The growth of the velocity from card to card.
    public var velocityTrend: Double
    /// Seconds.
    public var sessionLength: Double
    public var activeScrollSeconds: Double
    /// The quarter of the local day: 0 from midnight, 1 from 6, 2 from 12, 3 from 18 o'clock.
    public var timeOfDayBucket: Int
    /// The rarity of the skin that is shown; nil for a grey card and the leaderboard.
    public var rarityShown: Rarity?
    /// P(churn), 0…1.
    public var pChurn: Double
}

/// What a session came to.
public struct SessionRecord: AnnouncementBody {
    public var topic: String { "session" }
    /// The session's beginning, in seconds since 1970-01-01 in UTC.
    public var timestamp: Double
    /// Seconds until the visitor's last event.
    public var sessionLength: Double
    public var activeScrollSeconds: Double
    public var blocksViewed: Int
    public var uniqueBlocksSeen: Int
    public var totalSwipes: Int
    public var unlockCount: Int
    public var interventions: Int
    /// P(churn) at the last scroll; nil when there was none.
    public var pChurn: Double?
}
