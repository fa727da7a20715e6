/// What a method is for, in words; its parameters are described where they are read.
struct MethodGuide {
    var name: String
    var summary: String
    /// What its answer is called.
    var result: String

    init(_ name: String, _ summary: String, result: String = "receipt") {
        self.name = name
        self.summary = summary
        self.result = result
    }

    static let all = [
        MethodGuide("chime", "Plays a chime of the theme, and the haptic pattern of the same name if there is one."),
        MethodGuide("feed.cards", "Cards of the feed, those there are so far.", result: "cards"),
        MethodGuide("feed.inventory", "Every unlocked skin, by rarity.", result: "inventory"),
        MethodGuide("feed.leaderboard", "Who is ahead.", result: "leaderboard"),
        MethodGuide("feed.scroll", "Another card is shown."),
        MethodGuide("feed.state", "Where the visitor is.", result: "state"),
        MethodGuide("feed.swipe", "The visitor threw the feed on."),
        MethodGuide("feed.update", "How far the visitor has come, for the experience direct."),
        MethodGuide("haptic", "Plays a haptic pattern of the theme."),
        MethodGuide("hello", "The front end introduces itself; nothing depends on it.", result: "greeting"),
        MethodGuide("param.get", "A knob or a counter.", result: "parameter"),
        MethodGuide("param.list", "Every knob and counter.", result: "parameters"),
        MethodGuide("param.set", "Turns a knob, for this session and those to come."),
        MethodGuide("ping", "Says that the client is there, and on request how long it may be silent.", result: "pong"),
        MethodGuide("rpc.discover", "This document.", result: "document"),
        MethodGuide("status", "How the engine is.", result: "status"),
        MethodGuide("stop", "Everything off at once, softly."),
        MethodGuide("subscribe", "From now on this client is told of these topics, and of no others.", result: "subscription"),
        MethodGuide("tap", "A short touch that went nowhere."),
        MethodGuide("tone", "Sets the tone; what is left out stays as it is."),
        MethodGuide("touch", "A finger's change."),
    ]
}
