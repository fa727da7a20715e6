import Fields
import Signals

/// The actions that front ends may send to this piece.
public enum FeedMove: ActionBody {
    case scroll(FeedScroll)
    /// The feed begins anew, as for the next visitor.
    case reset

    public var name: String {
        switch self {
        case .scroll: "feed.scroll"
        case .reset: "feed.reset"
        }
    }

    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        if case .scroll(let scroll) = self { try scroll.encode(into: &container) }
    }
}

extension Action {
    public init(_ scroll: FeedScroll) { self.init(FeedMove.scroll(scroll)) }
}

/// The report that another card of the feed is shown.
public struct FeedScroll: Equatable, Sendable {
    /// The card's index in the feed, 0 or more.
    public var index: Int
    /// The velocity in screen heights per second; nil if it was not measured.
    public var velocity: Double?

    static let indices = 0...1_000_000_000

    public init(to index: Int, velocity: Double? = nil) {
        self.index = index
        self.velocity = velocity
    }

    init(_ fields: Fields) throws {
        index = try fields.integer("index", in: Self.indices, about: "of the card that is shown now")
        velocity = try fields.numberIfPresent("velocity", in: Swipe.velocities, unit: "screen heights per second")
    }

    fileprivate func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        try container.encode(index, forKey: Fields.Key("index"))
        try container.encodeIfPresent(velocity, forKey: Fields.Key("velocity"))
    }
}
