import Fields
import Signals

/// Another card of the feed is shown.
public struct FeedScroll: Equatable, Sendable {
    /// Of the card, 0 and up.
    public var index: Int
    /// As a swipe's.
    public var velocity: Double?

    public static let indices = 0...1_000_000_000

    public init(to index: Int, velocity: Double? = nil) {
        self.index = index
        self.velocity = velocity
    }

    public init(_ fields: Fields) throws {
        index = try fields.integer("index", in: Self.indices, about: "of the card that is shown now")
        velocity = try fields.numberIfPresent("velocity", in: Swipe.velocities, unit: "screen heights per second")
    }

    func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        try container.encode(index, forKey: Fields.Key("index"))
        try container.encodeIfPresent(velocity, forKey: Fields.Key("velocity"))
    }
}
