import Fields
import Signals

/// The answer to `feed.state`: the state of the session.
public struct FeedState: Encodable, Equatable, Sendable {
    /// The seconds since the session's start.
    public var time: Double
    /// The index of the card that is shown.
    public var index: Int
    /// The number of cards generated so far. `feed.scroll` may go to any of them.
    public var generated: Int
    public var blocksViewed: Int
    public var uniqueBlocksSeen: Int
    public var totalSwipes: Int
    public var unlockCount: Int
    /// The number of views since the last unlock.
    public var rewardDrought: Int
    /// The time until which the feed stands still, in seconds since the session's start; nil while the feed can move.
    public var pausedUntil: Double?
    /// The time of `pausedUntil` on CLOCK_MONOTONIC, in nanoseconds; nil while the feed can move, and where the piece runs without a real
    /// clock.
    public var pausedUntilMonotonic: Int64?
    /// The seconds from this answer to `pausedUntil`; nil while the feed can move.
    public var pausedFor: Double?
    /// P(churn), the probability that the visitor is about to leave, at the last scroll, 0…1; nil before the first scroll.
    public var pChurn: Double?
    /// The name of the model that computes P(churn).
    public var model: String
    public var interventions: Int
    public var palettes: Int
    /// The visitor's place on the leaderboard, among the rivals; 1 for the best.
    public var rank: Int
    /// The tone's frequency in Hz, whether or not it sounds.
    public var toneFrequency: Double
    /// The tone's level in dBFS, whether or not it sounds.
    public var toneLevel: Double
}

extension FeedState: Clocked {
    public func clocked(_ moment: (Double) -> Int64) -> FeedState {
        var clocked = self
        clocked.pausedUntilMonotonic = pausedUntil.map(moment)
        return clocked
    }
}

/// One card of the feed, which fills the screen.
public struct Card: Equatable, Sendable {
    public enum Face: Equatable, Sendable {
        /// The face of the first card.
        case leaderboard
        case gray(Color)
        case skin(Skin)
    }

    /// The card's index in the feed, 0 or more.
    public var index: Int
    public var face: Face

    /// The rarity of the skin that the card carries; nil where it carries none.
    public var rarity: Rarity? { if case .skin(let skin) = face { skin.rarity } else { nil } }
}

extension Card: Encodable {
    /// The names of a card's faces in messages to clients.
    private enum FaceName: String, CaseIterable, Encodable { case leaderboard, gray, skin }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Fields.Key.self)
        try container.encode(index, forKey: .init("index"))
        switch face {
        case .leaderboard:
            try container.encode(FaceName.leaderboard, forKey: .init("face"))
        case .gray(let color):
            try container.encode(FaceName.gray, forKey: .init("face"))
            try container.encode(color, forKey: .init("color"))
        case .skin(let skin):
            try container.encode(FaceName.skin, forKey: .init("face"))
            try container.encode(skin, forKey: .init("skin"))
        }
    }
}

/// The answer to `feed.cards`.
public struct CardList: Encodable, Equatable, Sendable {
    public var cards: [Card]

    public init(cards: [Card]) { self.cards = cards }
}
