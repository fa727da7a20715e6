/// The answer to `feed.cards`.
public struct CardList: Encodable, Equatable, Sendable {
    public var cards: [Card]

    public init(cards: [Card]) { self.cards = cards }
}
