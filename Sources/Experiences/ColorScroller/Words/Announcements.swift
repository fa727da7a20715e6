import Experience
import Signals

// What ColorScroller tells whoever draws.

/// A skin was seen for the first time.
public struct Unlocked: AnnouncementBody, Encodable {
    public var topic: String { "unlock" }
    public var skin: Skin
    /// Of the card that carries it.
    public var index: Int
    /// In seconds since the session's start: until then the feed should stand still.
    public var pausedUntil: Double

    public init(skin: Skin, index: Int, pausedUntil: Double) {
        self.skin = skin
        self.index = index
        self.pausedUntil = pausedUntil
    }
}

/// A word over the feed, for a moment.
public struct Toast: AnnouncementBody, Encodable {
    public var topic: String { "toast" }
    public var rarity: Rarity
    public var name: String

    public init(rarity: Rarity, name: String) {
        self.rarity = rarity
        self.name = name
    }
}

/// Ten skins were made of how the visitor behaves, and may be found from now on.
public struct PaletteMade: AnnouncementBody {
    public var topic: String { "palette" }
    /// All that is needed to make them again.
    public var seed: UInt64
    public var skins: [Skin]

    public init(seed: UInt64, skins: [Skin]) {
        self.seed = seed
        self.skins = skins
    }
}

/// The visitor seems about to leave, and is given a reason to stay.
public struct Intervention: AnnouncementBody, Encodable {
    public enum Strength: String, Encodable, Sendable { case moderate, high }

    public var topic: String { "intervention" }
    public var strength: Strength
    /// P(churn), 0…1.
    public var pChurn: Double
    /// The card that has changed; nil when there was nothing left to put into the feed.
    public var reward: Card?
    /// "You just passed pixel_drift!"; only when it is high.
    public var taunt: String?

    public init(_ strength: Strength, pChurn: Double, reward: Card?, taunt: String?) {
        self.strength = strength
        self.pChurn = pChurn
        self.reward = reward
        self.taunt = taunt
    }
}

extension Leaderboard: AnnouncementBody {
    public var topic: String { "leaderboard" }
}

extension ScrollRecord: AnnouncementBody {
    public var topic: String { "scroll" }
}

extension SessionRecord: AnnouncementBody {
    public var topic: String { "session" }
}
