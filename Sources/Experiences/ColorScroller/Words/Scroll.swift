import Fields
import Signals

/// The announcement that a card is shown, with everything that is needed to draw the card, and what was known about the visitor.
@dynamicMemberLookup
public struct Scroll: AnnouncementBody {
    public var topic: String { "scroll" }
    public var record: ScrollRecord
    public var decision: Decision
    /// The card that is shown.
    public var card: Card
    /// The cards that were generated because of this scroll, at the end of the feed.
    public var cards: [Card]
    /// The answer that `feed.state` would give now. Consequences of the card, such as another rank, are announced afterwards.
    public var state: FeedState

    public subscript<Value>(dynamicMember path: KeyPath<ScrollRecord, Value>) -> Value { record[keyPath: path] }
}

extension Scroll {
    /// Writes the fields of record, decision and state into one object. A field that two of them have has the same value in both.
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

/// What was known about the visitor when a card was shown.
public struct ScrollRecord: Encodable, Equatable, Sendable {
    /// The time in seconds since 1970-01-01 in UTC.
    public var timestamp: Double
    public var cardIndex: Int
    /// The number of views of cards. A card that is seen again counts again.
    public var blocksViewed: Int
    /// The number of different cards seen.
    public var uniqueBlocksSeen: Int
    public var unlockCount: Int
    /// The number of views since the last unlock.
    public var rewardDrought: Int
    /// The velocity in screen heights per second. A card is one screen high.
    public var velocity: Double
    /// The change of the velocity from one scroll to the next, in screen heights per second.
    public var velocityTrend: Double
    /// The seconds since the visit began: since the session's start, or since the feed last began anew.
    public var sessionLength: Double
    public var activeScrollSeconds: Double
    /// The quarter of the local day: 0 from midnight, 1 from 6, 2 from 12, 3 from 18 o'clock.
    public var timeOfDayBucket: Int
    /// The rarity of the skin that is shown; nil for a grey card and the leaderboard.
    public var rarityShown: Rarity?
    /// P(churn), the probability that the visitor is about to leave, 0…1.
    public var pChurn: Double
}

/// The result of a session.
public struct SessionRecord: AnnouncementBody {
    public var topic: String { "session" }
    /// The session's beginning, in seconds since 1970-01-01 in UTC.
    public var timestamp: Double
    /// The seconds from the session's beginning to the visitor's last event.
    public var sessionLength: Double
    public var activeScrollSeconds: Double
    public var blocksViewed: Int
    public var uniqueBlocksSeen: Int
    public var totalSwipes: Int
    public var unlockCount: Int
    public var interventions: Int
    /// P(churn), the probability that the visitor is about to leave, at the last scroll, 0…1; nil when there was no scroll.
    public var pChurn: Double?
}

/// The actions that the machine can take when a card is shown.
public enum MachineAction: String, CaseIterable, Codable, Sendable {
    case none, moderate, high

    /// The strength of the intervention that the action is; nil for the action `none`.
    var strength: Intervention.Strength? {
        switch self {
        case .none: nil
        case .moderate: .moderate
        case .high: .high
        }
    }
}

/// What the model predicted when a card was shown, and what the machine did about it.
public struct Decision: Encodable, Equatable, Sendable {
    /// The model's name.
    public var model: String
    /// The model's prediction: the log-odds that the visitor is about to leave.
    public var margin: Double
    /// Whether the machine was allowed to step in: the visitor had seen enough cards, the last intervention was long enough ago, and the
    /// visit is not held out.
    public var isEligible: Bool
    /// Whether the visit is held out: the machine never steps in, so that one can see what visitors do by themselves.
    public var isHeldOut: Bool
    public var action: MachineAction
    /// The probability with which the machine took just this action, given all that it knew; greater than 0, at most 1.
    public var propensity: Double
    /// The action for which the model calls, even if the machine was not allowed to step in.
    public var chosen: MachineAction

    /// Whether chance has led to another action than the one for which the model calls (`chosen`).
    var isExplored: Bool { isEligible && action != chosen }
}
