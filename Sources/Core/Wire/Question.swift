import Fields
import Signals

/// What a front end may ask of the experience; nothing changes by it.
public enum Question: Equatable, Sendable {
    /// So many cards from the first on, those there are.
    case cards(from: Int, count: Int)
    case state
    case inventory
    case leaderboard
    case parameters
    /// A knob's or counter's name.
    case parameter(String)

    public static let methods = ["feed.cards", "feed.state", "feed.inventory", "feed.leaderboard", "param.list", "param.get"]
    /// Answers stay well below what a reader should expect of a line.
    public static let mostCards = 256

    /// Nil when no question is called so.
    init?(method: String, _ parameters: Fields) throws {
        func only(_ known: String...) throws { try parameters.refuseAll(but: known) }
        switch method {
        case "feed.cards":
            try only("from", "count")
            self = .cards(from: try parameters.integer("from", in: FeedScroll.indices, about: "index of the first card"),
                          count: try parameters.integerIfPresent("count", in: 1...Self.mostCards, about: "\(Self.mostCards) by default")
                              ?? Self.mostCards)
        case "feed.state":
            try only()
            self = .state
        case "feed.inventory":
            try only()
            self = .inventory
        case "feed.leaderboard":
            try only()
            self = .leaderboard
        case "param.list":
            try only()
            self = .parameters
        case "param.get":
            try only("name")
            self = .parameter(try parameters.text("name", about: "of a knob or a counter"))
        default:
            return nil
        }
    }
}
