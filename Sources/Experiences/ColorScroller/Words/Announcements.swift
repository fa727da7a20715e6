import Experience
import Signals

// What ColorScroller tells whoever draws.

/// A skin was seen for the first time.
public struct Unlocked: AnnouncementBody, Encodable {
    public var topic: String { "unlock" }
    public var skin: Skin
    /// Of the card that carries it.
    public var index: Int
    /// In seconds since the session's start: until then the feed stands still.
    public var pausedUntil: Double
    /// The same by CLOCK_MONOTONIC, in nanoseconds; nil where nobody has a clock.
    public var pausedUntilMonotonic: Int64?
    /// How long that is from now, in seconds.
    public var pausedFor: Double

    /// `time` is now, in seconds since the session's start.
    public init(skin: Skin, index: Int, pausedUntil: Double, at time: Double) {
        self.skin = skin
        self.index = index
        self.pausedUntil = pausedUntil
        pausedFor = Pause.remaining(until: pausedUntil, at: time)
    }
}

/// A swipe, or another card, came while the feed stands still: nothing has moved.
public struct Held: AnnouncementBody, Encodable {
    public var topic: String { "held" }
    /// Of the card that is shown, before and after.
    public var index: Int
    /// As in `Unlocked`.
    public var pausedUntil: Double
    public var pausedUntilMonotonic: Int64?
    public var pausedFor: Double

    /// `time` is now, in seconds since the session's start.
    public init(index: Int, pausedUntil: Double, at time: Double) {
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

/// The feed has begun anew: other cards, nothing unlocked, nothing counted.
public struct FeedBegun: AnnouncementBody, Encodable {
    public var topic: String { "reset" }
    /// Of the card that is shown.
    public var index: Int

    public init(index: Int) { self.index = index }
}

/// The visitor's place among the rivals is another than before.
public struct RankChange: AnnouncementBody, Encodable {
    public var topic: String { "rank" }
    /// 1 for the best.
    public var rank: Int
    /// Places there are.
    public var of: Int
    /// Of the best rival behind; nil when nobody is.
    public var passed: String?

    public init(rank: Int, of places: Int, passed: String?) {
        self.rank = rank
        of = places
        self.passed = passed
    }
}

/// What there is to count, whenever something of it has changed.
public struct Counters: AnnouncementBody, Encodable {
    public var topic: String { "counters" }
    public var blocksViewed: Int
    public var uniqueBlocksSeen: Int
    public var totalSwipes: Int
    public var unlockCount: Int
    /// Views since the last unlock.
    public var rewardDrought: Int
    public var interventions: Int
    public var palettes: Int
    /// Among the rivals, 1 for the best.
    public var rank: Int
    /// At the last scroll, 0…1; nil before the first.
    public var pChurn: Double?
    /// dBFS, whether or not the tone sounds.
    public var toneLevel: Double

    public init(blocksViewed: Int, uniqueBlocksSeen: Int, totalSwipes: Int, unlockCount: Int, rewardDrought: Int, interventions: Int,
                palettes: Int, rank: Int, pChurn: Double?, toneLevel: Double) {
        self.blocksViewed = blocksViewed
        self.uniqueBlocksSeen = uniqueBlocksSeen
        self.totalSwipes = totalSwipes
        self.unlockCount = unlockCount
        self.rewardDrought = rewardDrought
        self.interventions = interventions
        self.palettes = palettes
        self.rank = rank
        self.pChurn = pChurn
        self.toneLevel = toneLevel
    }
}

/// A word over the feed, for a moment.
public struct Toast: AnnouncementBody, Codable {
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
    public var palette: Palette

    public init(_ palette: Palette) { self.palette = palette }

    public var seed: UInt64 { palette.seed }
    public var skins: [Skin] { palette.skins }
}

/// A rival is held up to the visitor.
public struct Taunt: Equatable, Sendable {
    /// Whether the visitor has seen more cards than the rival.
    public enum Standing: String, CaseIterable, Codable, Sendable { case passed, ahead }

    public let standing: Standing
    /// Who it is.
    public let rival: String

    public init(_ standing: Standing, _ rival: String) {
        self.standing = standing
        self.rival = rival
    }

    /// In English.
    public var text: String {
        switch standing {
        case .passed: "You just passed \(rival)!"
        case .ahead: "You are about to pass \(rival)!"
        }
    }
}

/// The visitor seems about to leave, and is given a reason to stay.
public struct Intervention: AnnouncementBody, Encodable {
    public enum Strength: String, CaseIterable, Codable, Sendable { case moderate, high }

    public var topic: String { "intervention" }
    public var strength: Strength
    /// P(churn), 0…1.
    public var pChurn: Double
    /// The card that has changed.
    public var reward: Card?
    /// Only when it is high.
    public var taunt: Taunt?

    public init(_ strength: Strength, pChurn: Double, reward: Card?, taunt: Taunt?) {
        self.strength = strength
        self.pChurn = pChurn
        self.reward = reward
        self.taunt = taunt
    }

    private enum CodingKeys: String, CodingKey { case strength, pChurn, reward, taunt, rival, standing }

    /// A page makes a sentence of its own language from `rival` and `standing`; `taunt` is the English one.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(strength, forKey: .strength)
        try container.encode(pChurn, forKey: .pChurn)
        try container.encodeIfPresent(reward, forKey: .reward)
        try container.encodeIfPresent(taunt?.text, forKey: .taunt)
        try container.encodeIfPresent(taunt?.rival, forKey: .rival)
        try container.encodeIfPresent(taunt?.standing, forKey: .standing)
    }
}

extension Leaderboard: AnnouncementBody {
    public var topic: String { "leaderboard" }
}

extension Scroll: AnnouncementBody {
    public var topic: String { "scroll" }
}

extension SessionRecord: AnnouncementBody {
    public var topic: String { "session" }
}
