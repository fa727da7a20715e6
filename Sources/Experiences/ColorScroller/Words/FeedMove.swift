import Fields
import Signals

/// What front ends report in the piece's own words.
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
