import Experience
import Fields
import Registry
import Signals

/// All that a client can ask of the engine.
public enum Call: Equatable, Sendable {
    /// The front end introduces itself.
    /// `gestures`: it reports swipes and taps itself, so those that we see are not wanted.
    case hello(client: String?, gestures: Bool)
    case status
    /// The server describes itself.
    case discover
    /// The client is there. With `patience`, in milliseconds, it counts as gone when it has not been heard of for so long; 0 takes that
    /// back, nil leaves it.
    case ping(patience: Int?)
    case ask(Question)
    case inspect(EngineQuestion)
    /// The front end wants to be told of these, and of nothing else, from now on; of the meters so many times a second.
    case subscribe(Set<Topic>, meterRate: Double)
    /// `at` nil is now.
    case report(EventKind, at: Moment?)
    case endSession
    /// From now on names mean what they do in the theme of this name.
    case theme(name: String)
    /// The preset of this name, until the schedule changes; nil leaves it to the schedule again.
    case preset(name: String?)

    /// Every method there is, for errors and `hello`.
    public static let methods = (["hello", "ping", "preset", "rpc.discover", "session.end", "status", "subscribe", "theme"]
        + Question.methods + EngineQuestion.methods + EventKind.reportable + actions.keys).sorted()

    private static let actions = Dictionary(uniqueKeysWithValues: Registry.pieces.flatMap { $0.declaration.actions.map { ($0.name, $0) } })
    private static let knobs = Registry.pieces.flatMap { $0.declaration.knobs }

    /// How often meters are told, in Hz.
    public static let meterRates = 1.0...60
    public static let usualMeterRate = 20.0

    private static let looking = Set(["hello", "ping", "rpc.discover", "status", "subscribe"] + Question.methods + EngineQuestion.methods)
    private static let releasing: Set = ["output.mute", "stop", "tone", "touch"]

    /// Whether nothing is changed by a method.
    public static func onlyLooks(method: String) -> Bool { looking.contains(method) }

    /// Whether calls of a method may let go of something; `letsGo` says whether one does.
    public static func canLetGo(method: String) -> Bool { releasing.contains(method) }

    /// Whether somebody may be waiting for a sound to end by it.
    public var letsGo: Bool {
        if case .report(let kind, _) = self { kind.letsGo } else { false }
    }
}

extension Call: Callable {
    /// What the parameters of a method may be, as the reader below asks for them.
    public static func parameters(of method: String) -> [FieldDescription] { described[method] ?? [] }

    private static let described = Dictionary(uniqueKeysWithValues: methods.map { method in
        (method, Fields.described { _ = try Call(method: method, $0) })
    })

    public static func parameterNames(of method: String) -> [String] { parameters(of: method).map(\.name) }

    public init?(method: String, _ parameters: Fields) throws {
        switch method {
        case "hello":
            try parameters.refuseAll(but: ["client", "gestures"])
            self = .hello(client: try parameters.textIfPresent("client", about: "the front end's name, for the log"), 
                          gestures: try parameters.flagIfPresent("gestures", about: "true: it reports swipes and taps itself") ?? false)
        case "status":
            try parameters.refuseAll(but: [])
            self = .status
        case "ping":
            try parameters.refuseAll(but: ["timeout"])
            self = .ping(patience: try parameters.integerIfPresent(
                "timeout", in: 0...3_600_000, unit: "ms",
                about: "the client counts as gone when nothing comes from it for so long; 0 for never, which is the default"))
        case "rpc.discover":
            try parameters.refuseAll(but: [])
            self = .discover
        case "subscribe":
            try parameters.refuseAll(but: ["topics", "rate"])
            let topics: [Topic]? = try parameters.choicesIfPresent("topics", about: "all but meters by default")
            let rate = try parameters.numberIfPresent("rate", in: Self.meterRates, unit: "Hz", about: "of the meters; 20 by default")
            self = .subscribe(topics.map { Set($0) } ?? Topic.usual, meterRate: rate ?? Self.usualMeterRate)
        case "theme":
            try parameters.refuseAll(but: ["name"])
            self = .theme(name: try parameters.text("name", about: "one of theme.list"))
        case "preset":
            try parameters.refuseAll(but: ["name"])
            self = .preset(name: try parameters.textIfPresent("name", about: "one of preset.list; without it the schedule decides again"))
        case "session.end":
            try parameters.refuseAll(but: [])
            self = .endSession
        default:
            if let question = try Question(method: method, parameters) {
                self = .ask(question)
            } else if let question = try EngineQuestion(method: method, parameters) {
                self = .inspect(question)
            } else if let action = Self.actions[method] {
                self = .report(.action(try action.action(parameters, besides: ["at", "in"])), at: try Moment(parameters))
            } else if method == "param.set" {
                try parameters.refuseAll(but: ["name", "value", "at", "in"])
                self = .report(.knob(try KnobChange(parameters, of: Self.knobs)), at: try Moment(parameters))
            } else if EventKind.reportable.contains(method),
                      let kind = try EventKind(name: method, parameters, besides: ["at", "in"]) {
                self = .report(kind, at: try Moment(parameters))
            } else {
                return nil
            }
        }
    }
}

extension Moment {
    /// 146 years after the machine's start, and exact as a number of any kind.
    private static let latest = 1 << 62

    /// Nil when nothing is said.
    fileprivate init?(_ fields: Fields) throws {
        let at = try fields.integerIfPresent("at", in: 0...Self.latest, unit: "ns",
                                             about: "when it is to be heard, or happened, by CLOCK_MONOTONIC")
        let delay = try fields.numberIfPresent("in", in: 0...600_000, unit: "ms", about: "in how long it is to be heard")
        switch (at, delay) {
        case (nil, nil): return nil
        case (let at?, nil): self = .at(Int64(at))
        case (nil, let delay?): self = .after(delay)
        case (.some, .some): throw fields.fault("in", "either at or in", found: "both")
        }
    }
}
