/// What an experience tells whoever draws.
public enum Announcement: Equatable, Sendable {
    case session(Session)
    case scroll(ScrollRecord)
    case unlock(Unlock)
    case toast(Toast)
    case palette(Palette)
    case intervention(Intervention)
    case leaderboard(Leaderboard)

    public enum Topic: String, CaseIterable, Sendable { case session, scroll, unlock, toast, palette, intervention, leaderboard }

    public var topic: Topic {
        switch self {
        case .session: .session
        case .scroll: .scroll
        case .unlock: .unlock
        case .toast: .toast
        case .palette: .palette
        case .intervention: .intervention
        case .leaderboard: .leaderboard
        }
    }
}

extension Announcement {
    /// A visitor has come or gone.
    public struct Session: Encodable, Equatable, Sendable {
        public enum Phase: String, Encodable, Sendable { case began, ended }

        public var phase: Phase
        /// What it came to, once it has ended; nil for an experience that counts nothing.
        public var record: SessionRecord?

        public init(_ phase: Phase, record: SessionRecord? = nil) {
            self.phase = phase
            self.record = record
        }
    }

    /// A skin was seen for the first time.
    public struct Unlock: Encodable, Equatable, Sendable {
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
    public struct Toast: Encodable, Equatable, Sendable {
        public var rarity: Rarity
        public var name: String

        public init(rarity: Rarity, name: String) {
            self.rarity = rarity
            self.name = name
        }
    }

    /// Ten skins were made of how the visitor behaves, and may be found from now on.
    public struct Palette: Equatable, Sendable {
        /// All that is needed to make them again.
        public var seed: UInt64
        public var skins: [Skin]

        public init(seed: UInt64, skins: [Skin]) {
            self.seed = seed
            self.skins = skins
        }
    }

    /// The visitor seems about to leave, and is given a reason to stay.
    public struct Intervention: Encodable, Equatable, Sendable {
        public enum Strength: String, Encodable, Sendable { case moderate, high }

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
}
