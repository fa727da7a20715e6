import Fields

/// One full-screen block of the feed.
public struct Card: Equatable, Sendable {
    public enum Face: Equatable, Sendable {
        /// The face of the first card.
        case leaderboard
        case gray(Color)
        case skin(Skin)
    }

    /// The card's place in the feed, 0 and up.
    public var index: Int
    public var face: Face

    /// The rarity of the skin that the card carries; nil where it carries none.
    public var rarity: Rarity? { if case .skin(let skin) = face { skin.rarity } else { nil } }
}

extension Card: Encodable {
    /// The names of faces on the socket.
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
