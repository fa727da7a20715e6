import Signals

/// All that a client can ask of the engine.
public enum Call: Equatable, Sendable {
    /// The front end introduces itself.
    /// `gestures`: it reports swipes and taps itself, so those that we see are not wanted.
    case hello(client: String?, gestures: Bool)
    case status
    /// The server describes itself.
    case discover
    case ask(Question)
    /// The front end wants to be told of these, and of nothing else, from now on.
    case subscribe(Set<Announcement.Topic>)
    /// `at` is when it happened, CLOCK_MONOTONIC in nanoseconds; nil for now.
    case report(Happening, at: Int64?)

    /// Every method there is, for errors and `hello`.
    public static let methods = (["hello", "rpc.discover", "status", "subscribe"] + Question.methods + Happening.reportable).sorted()
}

extension Call: Callable {
    /// What the parameters of a method may be, as the reader below asks for them.
    public static func parameters(of method: String) -> [FieldDescription] {
        Fields.described { _ = try Call(method: method, $0) }
    }

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
        case "rpc.discover":
            try parameters.refuseAll(but: [])
            self = .discover
        case "subscribe":
            try parameters.refuseAll(but: ["topics"])
            let topics: [Announcement.Topic]? = try parameters.choicesIfPresent("topics", about: "all of them by default")
            self = .subscribe(Set(topics ?? Announcement.Topic.allCases))
        default:
            if let question = try Question(method: method, parameters) {
                self = .ask(question)
            } else if Happening.reportable.contains(method), let happening = try Happening(name: method, parameters, besides: ["at"]) {
                self = .report(happening, at: try parameters.integerIfPresent(
                    "at", in: 0...Int.max, unit: "ns", about: "when it happened, by CLOCK_MONOTONIC; now by default").map { Int64($0) })
            } else {
                return nil
            }
        }
    }
}
