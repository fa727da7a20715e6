import Signals

/// The leaderboard of the hour: rivals who do not exist, and perhaps the visitor before.
public struct Leaderboard: AnnouncementBody {
    public var topic: String { "leaderboard" }

    public struct Row: Encodable, Equatable, Sendable {
        public var name: String
        /// Cards viewed.
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
    /// The cards below which a visit does not count: it was a stray tap.
    static let fewestCards = 3

    /// Cards viewed.
    public var cards: Int
    /// Skins unlocked; nil when their number was not remembered.
    public var skins: Int?
    /// Minutes from the visit's start to the visitor's last touch, to a tenth; nil when they were not remembered.
    public var minutes: Double?
    /// The place among the rivals of the visit's last hour and the visitor, 1 for the best; nil when it was not remembered.
    public var rank: Int?
}

/// The announcement that the visitor's place among the rivals is another than before.
public struct RankChange: AnnouncementBody {
    public var topic: String { "rank" }
    /// The place, 1 for the best.
    public var rank: Int
    /// The number of places.
    public var of: Int
    /// The name of the best rival behind the visitor; nil when nobody is.
    public var passed: String?
}

/// A rival is held up to the visitor.
public struct Taunt: Equatable, Sendable {
    /// Whether the visitor has passed the rival, or the rival is still ahead.
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
