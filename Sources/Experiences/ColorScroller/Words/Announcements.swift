import Signals

// What ColorScroller tells whoever draws. `Scroll`, `Leaderboard` and `Inventory` are files of their own, with what belongs to them.

/// The announcement that a skin was seen for the first time.
public struct Unlocked: AnnouncementBody {
    public var topic: String { "unlock" }
    public var skin: Skin
    /// The index of the card that carries the skin.
    public var index: Int
    /// The time until which the feed stands still, in seconds since the session's start.
    public var pausedUntil: Double
    /// The time of `pausedUntil` on CLOCK_MONOTONIC, in nanoseconds; nil where the piece runs without a real clock.
    public var pausedUntilMonotonic: Int64?
    /// The seconds from this announcement to `pausedUntil`.
    public var pausedFor: Double

    /// Creates the announcement. `time` is the present time, and `pausedUntil` the end of the pause; both are in seconds since the
    /// session's start.
    init(skin: Skin, index: Int, pausedUntil: Double, at time: Double) {
        self.skin = skin
        self.index = index
        self.pausedUntil = pausedUntil
        pausedFor = Pause.remaining(until: pausedUntil, at: time)
    }
}

/// The announcement that the feed was held: somebody tried to move it while it stands still. Nothing has moved.
public struct Held: AnnouncementBody {
    public var topic: String { "held" }
    /// The index of the card that is shown. It has not changed.
    public var index: Int
    /// The time until which the feed stands still, in seconds since the session's start.
    public var pausedUntil: Double
    /// The time of `pausedUntil` on CLOCK_MONOTONIC, in nanoseconds; nil where the piece runs without a real clock.
    public var pausedUntilMonotonic: Int64?
    /// The seconds from this announcement to `pausedUntil`.
    public var pausedFor: Double

    /// Creates the announcement. `time` is the present time, and `pausedUntil` the end of the pause; both are in seconds since the
    /// session's start.
    init(index: Int, pausedUntil: Double, at time: Double) {
        self.index = index
        self.pausedUntil = pausedUntil
        pausedFor = Pause.remaining(until: pausedUntil, at: time)
    }
}

extension Unlocked: Clocked {
    public func clocked(_ moment: (Double) -> Int64) -> Unlocked {
        var clocked = self
        clocked.pausedUntilMonotonic = moment(pausedUntil)
        return clocked
    }
}

extension Held: Clocked {
    public func clocked(_ moment: (Double) -> Int64) -> Held {
        var clocked = self
        clocked.pausedUntilMonotonic = moment(pausedUntil)
        return clocked
    }
}

/// The announcement that the feed has begun anew: with other cards, nothing unlocked, and all counts at 0.
public struct FeedBegun: AnnouncementBody {
    public var topic: String { "reset" }
    /// The index of the card that is shown.
    public var index: Int
}

/// All counts of the session. They are announced whenever one of them has changed.
public struct Counters: AnnouncementBody {
    public var topic: String { "counters" }
    public var blocksViewed: Int
    public var uniqueBlocksSeen: Int
    public var totalSwipes: Int
    public var unlockCount: Int
    /// The number of views since the last unlock.
    public var rewardDrought: Int
    public var interventions: Int
    public var palettes: Int
    /// The visitor's place on the leaderboard, among the rivals; 1 for the best.
    public var rank: Int
    /// P(churn), the probability that the visitor is about to leave, at the last scroll, 0…1; nil before the first scroll.
    public var pChurn: Double?
    /// The tone's level in dBFS, whether or not it sounds.
    public var toneLevel: Double
}

/// A skin's name, which is shown over the feed for a moment.
public struct Toast: AnnouncementBody, Codable {
    public var topic: String { "toast" }
    public var rarity: Rarity
    public var name: String
}

/// The announcement that the visitor seems about to leave, and is given a reason to stay.
public struct Intervention: AnnouncementBody {
    public enum Strength: String, CaseIterable, Codable, Sendable { case moderate, high }

    public var topic: String { "intervention" }
    public var strength: Strength
    /// P(churn), the probability that the visitor is about to leave, 0…1.
    public var pChurn: Double
    /// Whether chance has called for the intervention, although the model would have taken another action.
    public var explored: Bool
    /// The card ahead that has got a new skin as the reason to stay; nil where no card could get one.
    public var reward: Card?
    /// A taunt, which goes with a high intervention only; nil for a moderate one.
    public var taunt: Taunt?

    init(_ strength: Strength, pChurn: Double, explored: Bool = false, reward: Card?, taunt: Taunt?) {
        self.strength = strength
        self.pChurn = pChurn
        self.explored = explored
        self.reward = reward
        self.taunt = taunt
    }

    private enum CodingKeys: String, CodingKey { case strength, pChurn, explored, reward, taunt, rival, standing }

    /// Writes the taunt in English as `taunt`. Also writes `rival` and `standing`, so that a page can make a sentence in its own language.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(strength, forKey: .strength)
        try container.encode(pChurn, forKey: .pChurn)
        try container.encode(explored, forKey: .explored)
        try container.encodeIfPresent(reward, forKey: .reward)
        try container.encodeIfPresent(taunt?.text, forKey: .taunt)
        try container.encodeIfPresent(taunt?.rival, forKey: .rival)
        try container.encodeIfPresent(taunt?.standing, forKey: .standing)
    }
}
