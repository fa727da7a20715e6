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
        MethodGuide("chime.list", "The theme's chimes.", result: "chimes"),
        MethodGuide("device.list", "Touchscreens and motors.", result: "devices"),
        MethodGuide("feed.cards", "Cards of the feed, those there are so far.", result: "cards"),
        MethodGuide("feed.inventory", "Every unlocked skin, by rarity.", result: "inventory"),
        MethodGuide("feed.leaderboard", "Who is ahead.", result: "leaderboard"),
        MethodGuide("feed.scroll", "Another card is shown."),
        MethodGuide("feed.state", "Where the visitor is.", result: "state"),
        MethodGuide("feed.swipe", "The visitor threw the feed on."),
        MethodGuide("feed.update", "How far the visitor has come, for the experience direct."),
        MethodGuide("haptic", "Plays a haptic pattern, of the theme or its own."),
        MethodGuide("haptic.list", "The theme's haptic patterns.", result: "patterns"),
        MethodGuide("hello", "The front end introduces itself; nothing depends on it.", result: "greeting"),
        MethodGuide("journal.mark", "A remark for whoever reads the session's journal."),
        MethodGuide("journal.path", "Where journals are.", result: "journal"),
        MethodGuide("output.ceiling", "No sample passes it, in this session and those to come."),
        MethodGuide("output.latency", "How long things take.", result: "latency"),
        MethodGuide("output.mute", "Takes the sound away, or gives it back, in this session and those to come."),
        MethodGuide("output.sinks", "Where the sound server can play.", result: "sinks"),
        MethodGuide("param.get", "A knob or a counter.", result: "parameter"),
        MethodGuide("param.list", "Every knob and counter.", result: "parameters"),
        MethodGuide("param.set", "Turns a knob, for this session and those to come."),
        MethodGuide("ping", "Says that the client is there, and on request how long it may be silent.", result: "pong"),
        MethodGuide("rpc.discover", "This document.", result: "document"),
        MethodGuide("session.end", "Ends the session softly."),
        MethodGuide("session.list", "Recorded sessions, the newest first.", result: "sessions"),
        MethodGuide("session.start", "Begins a session, because somebody is there."),
        MethodGuide("session.status", "The session under way.", result: "session"),
        MethodGuide("status", "How the engine is.", result: "status"),
        MethodGuide("stop", "Everything off at once, softly."),
        MethodGuide("subscribe", "From now on this client is told of these topics, and of no others.", result: "subscription"),
        MethodGuide("tap", "A short touch that went nowhere."),
        MethodGuide("tone", "Sets the tone; what is left out stays as it is."),
        MethodGuide("touch", "A finger's change."),
    ]
}
