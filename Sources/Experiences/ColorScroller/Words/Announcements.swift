import Signals

// What ColorScroller tells whoever draws. `Scroll`, `Leaderboard` and `Inventory` are files of their own, with what belongs to them.

/// The announcement that a skin was seen for the first time.
public struct Unlocked: AnnouncementBody {
    public var topic: String { "unlock" }
    public var skin: Skin
    /// The index of the card that carries the skin.
    public var index: Int
    /// The moment until which the feed stands still, in seconds since the session's start.
    public var pausedUntil: Double
    /// The same moment by CLOCK_MONOTONIC, in nanoseconds; nil where nobody has a clock.
    public var pausedUntilMonotonic: Int64?
    /// The seconds from now to that moment.
    public var pausedFor: Double

    /// `time` is now, in seconds since the session's start.
    init(skin: Skin, index: Int, pausedUntil: Double, at time: Double) {
        self.skin = skin
        self.index = index
        self.pausedUntil = pausedUntil
        pausedFor = Pause.remaining(until: pausedUntil, at: time)
    }
}

/// The announcement that a swipe, or another card, came while the feed stands still, and that nothing has moved.
public struct Held: AnnouncementBody {
    public var topic: String { "held" }
    /// The index of the card that is shown, before and after.
    public var index: Int
    /// The moment until which the feed stands still, in seconds since the session's start.
    public var pausedUntil: Double
    /// The same moment by CLOCK_MONOTONIC, in nanoseconds; nil where nobody has a clock.
    public var pausedUntilMonotonic: Int64?
    /// The seconds from now to that moment.
    public var pausedFor: Double

    /// `time` is now, in seconds since the session's start.
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

/// The announcement that the feed has begun anew: other cards, nothing unlocked, nothing counted.
public struct FeedBegun: AnnouncementBody {
    public var topic: String { "reset" }
    /// The index of the card that is shown.
    public var index: Int
}

/// All counts of the session, announced whenever one of them has changed.
public struct Counters: AnnouncementBody {
    public var topic: String { "counters" }
    public var blocksViewed: Int
    public var uniqueBlocksSeen: Int
    public var totalSwipes: Int
    public var unlockCount: Int
    /// Views since the last unlock.
    public var rewardDrought: Int
    public var interventions: Int
    public var palettes: Int
    /// The place among the rivals, 1 for the best.
    public var rank: Int
    /// P(churn) at the last scroll, 0…1; nil before the first.
    public var pChurn: Double?
    /// The tone's level in dBFS, whether or not it sounds.
    public var toneLevel: Double
}

/// A skin's name over the feed, for a moment.
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
    /// P(churn), 0…1.
    public var pChurn: Double
    /// Whether the intervention was drawn by chance, and not called for by the model.
    public var explored: Bool
    /// The card that has changed.
    public var reward: Card?
    /// A taunt, which only a high intervention has.
    public var taunt: Taunt?

    init(_ strength: Strength, pChurn: Double, explored: Bool = false, reward: Card?, taunt: Taunt?) {
        self.strength = strength
        self.pChurn = pChurn
        self.explored = explored
        self.reward = reward
        self.taunt = taunt
    }

    private enum CodingKeys: String, CodingKey { case strength, pChurn, explored, reward, taunt, rival, standing }

    /// Writes the taunt in English as `taunt`, and `rival` and `standing`, of which a page makes a sentence of its own language.
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
