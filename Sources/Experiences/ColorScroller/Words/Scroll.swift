/// A card is shown: all that it takes to draw it, and what was known about the visitor.
@dynamicMemberLookup
public struct Scroll: Equatable, Sendable {
    /// For telemetry.
    public var record: ScrollRecord
    /// The one that is shown.
    public var card: Card
    /// Those that are there since, at the end of the feed.
    public var cards: [Card]
    /// As `feed.state` answers. The card's own consequences, such as another rank, come after it.
    public var state: FeedState

    public init(_ record: ScrollRecord, card: Card, cards: [Card], state: FeedState) {
        self.record = record
        self.card = card
        self.cards = cards
        self.state = state
    }

    public subscript<Value>(dynamicMember path: KeyPath<ScrollRecord, Value>) -> Value { record[keyPath: path] }
}
