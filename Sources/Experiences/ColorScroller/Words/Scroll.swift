import Fields
import Signals

/// The announcement that a card is shown: all that it takes to draw the card, and what was known about the visitor.
@dynamicMemberLookup
public struct Scroll: AnnouncementBody {
    public var topic: String { "scroll" }
    public var record: ScrollRecord
    public var decision: Decision
    /// The card that is shown.
    public var card: Card
    /// The cards that were generated at the end of the feed.
    public var cards: [Card]
    /// The answer that `feed.state` would give. The card's own consequences, such as another rank, come after it.
    public var state: FeedState

    public subscript<Value>(dynamicMember path: KeyPath<ScrollRecord, Value>) -> Value { record[keyPath: path] }
}

extension Scroll {
    /// Writes the fields of record, decision and state side by side: where two have a field, its value is the same.
    public func encode(to encoder: any Encoder) throws {
        try state.encode(to: encoder)
        try record.encode(to: encoder)
        try decision.encode(to: encoder)
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

/// The facts about the visitor at the moment at which a card was shown.
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
    /// Seconds since the visit's beginning, which is the session's, or the feed's where it has begun anew.
    public var sessionLength: Double
    public var activeScrollSeconds: Double
    /// The quarter of the local day: 0 from midnight, 1 from 6, 2 from 12, 3 from 18 o'clock.
    public var timeOfDayBucket: Int
    /// The rarity of the skin that is shown; nil for a grey card and the leaderboard.
    public var rarityShown: Rarity?
    /// P(churn), 0…1.
    public var pChurn: Double
}

/// The result of a session.
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

/// The actions that the machine can take when a card is shown.
public enum MachineAction: String, CaseIterable, Codable, Sendable {
    case none, moderate, high

    /// The intervention's strength; nil for no intervention.
    var strength: Intervention.Strength? {
        switch self {
        case .none: nil
        case .moderate: .moderate
        case .high: .high
        }
    }
}

/// The model's judgement at the moment at which a card was shown, and the action that followed.
public struct Decision: Encodable, Equatable, Sendable {
    /// The model's name.
    public var model: String
    /// The log-odds that the visitor is about to leave.
    public var margin: Double
    /// Whether the machine might step in: it had seen enough cards, the last intervention was long enough ago, and the visit is not held
    /// out.
    public var isEligible: Bool
    /// Whether the machine steps in on this visit never, so that it is seen what visitors do by themselves.
    public var isHeldOut: Bool
    public var action: MachineAction
    /// The probability with which the machine would have done what it did, given all that it knew: above 0, and at most 1.
    public var propensity: Double
    /// The action that the model calls for, even where the machine may not step in.
    public var chosen: MachineAction

    /// Whether chance has taken another action than the model calls for.
    var isExplored: Bool { isEligible && action != chosen }
}
