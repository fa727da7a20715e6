import Experience
import Registry
/// What a method is for, in words; its parameters are described where they are read.
struct MethodGuide {
    var name: String
    var summary: String
    /// What its answer is called.
    var result: String
    /// What its answer looks like.
    var shape: Shape

    /// Of `answers` only the shape is of interest; what not all of them have is optional.
    init(_ name: String, _ summary: String, result: String = "receipt", _ answers: any Encodable...) {
        self.init(name, summary, result: result, answers: answers)
    }

    private init(_ name: String, _ summary: String, result: String, answers: [any Encodable]) {
        self.name = name
        self.summary = summary
        self.result = result
        let shapes = answers.map { Shape(of: $0) }
        shape = shapes.dropFirst().reduce(shapes.first ?? Shape(of: Receipt(frame: nil))) { $0.merged($1) }
    }

    static let all = (core + Registry.pieces.flatMap { piece in
        piece.declaration.actions.map { MethodGuide($0.name, $0.about) }
            + piece.declaration.queries.map { MethodGuide($0.name, $0.about, result: $0.result, answers: $0.examples) }
    }).sorted { $0.name < $1.name }

    private static let core = [
        MethodGuide("chime", "Plays a chime of the theme, and the haptic pattern of the same name if there is one."),
        MethodGuide("chime.list", "The theme's chimes.", result: "chimes", Example.names),
        MethodGuide("device.list", "Touchscreens and motors.", result: "devices", Example.devices),
        MethodGuide("feed.swipe", "The older name of swipe."),
        MethodGuide("haptic", "Plays a haptic pattern, of the theme or its own."),
        MethodGuide("haptic.list", "The theme's haptic patterns.", result: "patterns", Example.names),
        MethodGuide("hello", "The front end introduces itself, which it need not.", result: "greeting", Example.greeting),
        MethodGuide("journal.mark", "A remark for whoever reads the session's journal."),
        MethodGuide("journal.path", "Where journals are.", result: "journal", JournalAnswer(folder: "", journal: nil)),
        MethodGuide("output.ceiling", "No sample passes it, in this session and those to come."),
        MethodGuide("output.latency", "How long things take.", result: "latency", Example.latency),
        MethodGuide("output.mute", "Takes the sound away, or gives it back, in this session and those to come."),
        MethodGuide("output.sinks", "Where the sound server can play.", result: "sinks", Example.sinks),
        MethodGuide("param.get", "A knob or a counter.", result: "parameter", Example.knob, Example.flag, Example.counter),
        MethodGuide("param.list", "Every knob and counter.",
                    result: "parameters", KnobList(parameters: [Example.knob, Example.flag, Example.counter])),
        MethodGuide("param.set", "Turns a knob, for this session and those to come."),
        MethodGuide("ping", "Says that the client is there, and on request how long it may be silent.", result: "pong", Pong(time: 0)),
        MethodGuide("preset", "The house's preset: how loud and how high it gets. It stays until the schedule changes."),
        MethodGuide("preset.list", "The presets there are.", result: "presets", Example.names),
        MethodGuide("rpc.discover", "This document.", result: "document", [String: String]()),
        MethodGuide("session.end", "Ends the session softly."),
        MethodGuide("session.list", "Recorded sessions, the newest first.", result: "sessions", Example.sessions),
        MethodGuide("session.start", "Begins a session, because somebody is there."),
        MethodGuide("session.status", "The session under way.", result: "session", SessionAnswer(session: Example.session)),
        MethodGuide("status", "How the engine is.", result: "status", Example.status),
        MethodGuide("stop", "Everything off at once, softly."),
        MethodGuide("subscribe", "From now on this client is told of these topics, and of no others.",
                    result: "subscription", Example.subscription),
        MethodGuide("swipe", "A finger was flicked up or down."),
        MethodGuide("tap", "A short touch that went nowhere."),
        MethodGuide("theme", "What names sound and feel like from now on, in this session and those to come."),
        MethodGuide("theme.list", "The themes there are.", result: "themes", Example.names),
        MethodGuide("tone", "Sets the tone; what is left out stays as it is."),
        MethodGuide("touch", "A finger's change."),
    ]
}
