/// One full-screen block of the feed.
public struct Card: Equatable, Sendable {
    public enum Face: Equatable, Sendable {
        /// The first card.
        case leaderboard
        /// Monochrome.
        case gray(Color)
        case skin(Skin)
    }

    /// Its place in the feed, 0 and up.
    public var index: Int
    public var face: Face

    public init(index: Int, face: Face) {
        self.index = index
        self.face = face
    }

    /// Of the skin it carries.
    public var rarity: Rarity? { if case .skin(let skin) = face { skin.rarity } else { nil } }
}
