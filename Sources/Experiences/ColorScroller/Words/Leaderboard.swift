import Signals

/// The leaderboard of the hour: ten rows of rivals who do not exist. The result of the last session replaces the last rival.
public struct Leaderboard: AnnouncementBody {
    public var topic: String { "leaderboard" }

    public struct Row: Encodable, Equatable, Sendable {
        public var name: String
        /// The number of cards viewed.
        public var score: Int
        /// Whether the row is that of the visitor's last session.
        public var isVisitor = false
    }

    /// The rows, the best first.
    public var rows: [Row]
    /// The result of the last visit that counts; nil when there was none.
    public var lastSession: LastVisit?
}

/// The result of a visit, for the leaderboard.
public struct LastVisit: Codable, Equatable, Sendable {
    /// The smallest number of cards for which a visit counts. A shorter visit was a stray tap.
    static let fewestCards = 3

    /// The number of cards viewed.
    public var cards: Int
    /// The number of skins unlocked; nil if it was not remembered.
    public var skins: Int?
    /// The minutes from the visit's start to the visitor's last touch, rounded to a tenth; nil if they were not remembered.
    public var minutes: Double?
    /// The rank among the rivals in the visit's last hour, 1 for the best; nil if it was not remembered.
    public var rank: Int?
}

/// The announcement that the visitor's rank has changed.
public struct RankChange: AnnouncementBody {
    public var topic: String { "rank" }
    /// The visitor's rank, 1 for the best.
    public var rank: Int
    /// The number of ranks.
    public var of: Int
    /// The name of the best rival behind the visitor; nil if there is none.
    public var passed: String?
}

/// A remark that compares the visitor with a rival.
public struct Taunt: Equatable, Sendable {
    /// Whether the visitor has passed the rival (`passed`), or the rival is still ahead of the visitor (`ahead`).
    public enum Standing: String, CaseIterable, Codable, Sendable { case passed, ahead }

    public let standing: Standing
    /// The rival's name.
    public let rival: String

    init(_ standing: Standing, _ rival: String) {
        self.standing = standing
        self.rival = rival
    }

    /// The taunt in English.
    public var text: String {
        switch standing {
        case .passed: "You just passed \(rival)!"
        case .ahead: "You are about to pass \(rival)!"
        }
    }
}
