import Experience
import Fields
import Signals

/// The methods by which clients report events, and a client's `ping`.
extension Method {
    /// The method by which a client says that it is still there.
    public static var ping: Method {
        Method("ping", .look, "Says that the client is there, and on request how long it may be silent.", result: "pong",
               examples: [Pong(time: 0)]) { fields in
            .ping(timeout: try fields.integerIfPresent(
                "timeout", in: 0...3_600_000, unit: "ms",
                about: "the client counts as gone when nothing comes from it for so long; 0 for never, which is the default"))
        }
    }

    /// The methods that report events of every piece; `EventKind` reads these events. `knobs` are those of the running piece, or of all
    /// pieces, which may share some. `answers` has the pieces' example answers, by the events' names.
    public static func events(turning knobs: [Knob], answers: [String: [JSONValue]] = [:]) -> [Method] {
        let knobs = knobs.reduce(into: [Knob]()) { if !$0.contains($1) { $0.append($1) } }
        func event(_ name: String, _ access: Access, refuses: [ErrorReply.Reason] = [], _ summary: String,
                   read: (@Sendable (Fields) throws -> EventKind?)? = nil) -> Method {
            .event(EventKind.method(of: name), access, refuses: refuses, summary, answers[name] ?? []) {
                try read?($0) ?? EventKind(name: name, $0, besides: Moment.fields)
            }
        }
        return [
            event("chime", .act(by: .player), refuses: [.notNow],
                  "Plays a chime of the theme, and the haptic pattern of the same name if there is one."),
            event("haptic", .act(by: .player), refuses: [.notNow], "Plays a haptic pattern, of the theme or its own."),
            event("journal.mark", .act(by: .operator), "A remark for whoever reads the session's journal."),
            event("noise", .hold(by: .operator), "Begins pink noise at a level, to check loudspeakers, or ends it, softly."),
            event("output.ceiling", .act(by: .operator), refuses: [.notNow], "No sample passes it, in this session and those to come."),
            event("output.mute", .hold(by: .volume), "Takes the sound away, or gives it back, in this session and those to come."),
            event("param.set", .act(by: .operator), "Turns a knob, for this session and those to come.") { fields in
                guard !knobs.isEmpty else { return try EventKind(name: "param.set", fields, besides: Moment.fields) }
                try fields.refuseAll(but: ["name", "value"] + Moment.fields)
                return .knob(try KnobChange(fields, of: knobs))
            },
            event("session.start", .act(by: .visitor), refuses: [.notNow], "Begins a session before anything is touched."),
            event("stop", .release, "Everything off at once, softly."),
            event("swipe", .act(by: .visitor), refuses: [.notOwner], "A finger was flicked up or down."),
            event("tap", .act(by: .visitor), refuses: [.notOwner], "A short touch that went nowhere."),
            event("texture", .hold(by: .player), refuses: [.notNow], "Begins a texture of the theme, or ends it, softly."),
            event("tone", .hold(by: .player), "Sets the tone; what is left out stays as it is."),
            event("touch", .hold(by: .visitor), refuses: [.notOwner, .noRoom], "A finger's change."),
        ]
    }

    /// The method that reports one of a piece's own actions.
    public static func action(_ action: ActionDeclaration, answers: [JSONValue] = []) -> Method {
        event(action.name, .act(by: action.isForOperators ? .operator : .visitor), action.about, answers, isOfPiece: true,
              isOverHouseholds: action.isForOperators && action.isForHousehold) {
            .action(try action.request($0, besides: Moment.fields))
        }
    }

    /// Creates a method that reports an event. `read` must refuse unknown fields, but accept `at` and `delay`, which say when the event is
    /// to be heard (`Moment`).
    private static func event(_ name: String, _ access: Access, refuses: [ErrorReply.Reason] = [], _ summary: String,
                              _ answers: [JSONValue], isOfPiece: Bool = false, isOverHouseholds: Bool = false,
                              read: @escaping @Sendable (Fields) throws -> EventKind?) -> Method {
        let reader: @Sendable (Fields) throws -> Call = { fields in
            guard let kind = try read(fields) else { preconditionFailure("\(name) is an event") }
            return .event(kind, at: try Moment(fields))
        }
        let examples = answers.isEmpty ? [Receipt(frame: nil)] : answers.map { Receipt(frame: nil, result: $0) }
        let description = MethodDescription(name: name, access: access, refuses: refuses, summary: summary, result: "receipt",
                                            examples: examples, parameters: Fields.described { _ = try reader($0) },
                                            isOfPiece: isOfPiece, isOverHouseholds: isOverHouseholds)
        return Method(description, reader: reader)
    }
}

extension EventKind {
    /// The name of the method by which a front end reports this event.
    public var method: String { Self.method(of: name) }

    /// Returns the method's name for an event called `name`. An event that plays something has a method for its list of names too, such as
    /// `chime.list`. No method's name may be a prefix of another's, so such events get a name such as `chime.play`.
    fileprivate static func method(of name: String) -> String {
        switch name {
        case "chime", "haptic": name + ".play"
        case "texture": name + ".set"
        default: name
        }
    }
}

extension Moment {
    fileprivate static let fields = ["at", "delay"]
    /// The largest value of `at`, in nanoseconds since the machine's start: 146 years. Numbers of any type can hold it exactly.
    private static let latest = 1 << 62

    /// Reads from the fields `at` and `delay` when an event is to be heard; nil when both are missing. Throws `Fault`.
    fileprivate init?(_ fields: Fields) throws {
        let at = try fields.integerIfPresent("at", in: 0...Self.latest, unit: "ns",
                                             about: "when it is to be heard, or happened, by CLOCK_MONOTONIC")
        let delay = try fields.numberIfPresent("delay", in: 0...600_000, unit: "ms", about: "in how long it is to be heard")
        switch (at, delay) {
        case (nil, nil): return nil
        case (let at?, nil): self = .at(Int64(at))
        case (nil, let delay?): self = .after(delay)
        case (.some, .some): throw fields.fault("delay", "either at or delay", found: "both")
        }
    }
}

/// When an event is to be heard.
public enum Moment: Equatable, Sendable {
    /// An instant of CLOCK_MONOTONIC in nanoseconds. If it lies in the past, the event is heard a constant time after it. If it lies ahead,
    /// the event is heard at that instant.
    case at(Int64)
    /// A delay in milliseconds, counted from when the request is read.
    case after(Double)

    /// The longest time by which an event may be planned ahead, in nanoseconds.
    public static let horizon: Int64 = 600_000_000_000
}
