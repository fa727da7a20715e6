import Experience
import Fields
import Offline
import Wire

/// The way in which a word of the command line becomes the value of a parameter.
enum ParameterKind: Equatable, Sendable {
    case text
    case choice([String])
    /// A list of words with commas between them.
    case words
    /// True or false.
    case flag
    /// JSON, either directly or, with `@FILE`, in a file.
    case structure
    /// JSON, or text where the word is not JSON; for parameters that are numbers, or of several kinds.
    case value

    init(_ kind: FieldDescription.Kind) {
        self = switch kind {
        case .text: .text
        case .choice(let choices): .choice(choices)
        case .choices: .words
        case .flag: .flag
        case .structure: .structure
        case .number, .integer, .either: .value
        }
    }
}

/// The names and parameters of the methods of a thrumd that has certain pieces.
struct KnownMethods {
    typealias Parameters = KeyValuePairs<String, ParameterKind>

    /// The names of all methods, in alphabetical order.
    let names: [String]
    private let parameters: [String: [(name: String, kind: ParameterKind)]]

    init(_ pieces: [Declaration]) {
        let events = Method.events(turning: pieces.flatMap(\.knobs)) + [.ping] + pieces.flatMap(\.actions).map { .action($0) }
        let described = events.map { ($0.name, $0.description.parameters) }
            + pieces.flatMap(\.queries).map { ($0.name, $0.fields) }
        parameters = Dictionary(uniqueKeysWithValues: Self.commands.map { ($0.key, $0.value.map { ($0.key, $0.value) }) }
            + described.map { ($0.0, $0.1.map { ($0.name, ParameterKind($0.kind)) }) })
        names = parameters.keys.sorted()
    }

    /// Returns the parameters of a method in thrumd's order; an empty list for an unknown method.
    func parameters(of method: String) -> [(name: String, kind: ParameterKind)] { parameters[method] ?? [] }

    /// The methods of `EngineMethods` without the events, which `Wire` describes. `thrum` does not link the engine, so this is a copy;
    /// `KnownMethodsTests` compares it with the engine's methods.
    private static let commands: KeyValuePairs<String, Parameters> = [
        "chime.list": [:],
        "client.list": [:],
        "fault.list": [:],
        "clock.accept": [:],
        "config.apply": ["published": .structure],
        "config.approve": ["kind": .text, "version": .value],
        "config.diff": ["kind": .text, "version": .value, "document": .structure, "outlook": .flag],
        "config.get": ["kind": .text, "version": .value],
        "config.history": ["kind": .text],
        "config.propose": ["kind": .text, "document": .structure, "copyOf": .value],
        "config.publish": ["kind": .text, "version": .value],
        "config.withdraw": ["kind": .text, "version": .value],
        "daemon.restart": [:],
        "device.list": [:],
        "explore.regions": ["regions": .structure],
        "explore.set": ["on": .flag],
        "finger.claim": ["client": .value, "id": .value],
        "haptic.list": [:],
        "hello": ["client": .text, "gestures": .flag, "touches": .choice(["engine", "page"])],
        "household.list": ["after": .text, "limit": .value],
        "household.merge": ["household": .text, "into": .text],
        "household.query": ["household": .text, "query": .text],
        "household.remove": ["household": .text],
        "household.secret": ["household": .text, "secret": .text],
        "journal.path": [:],
        "kiosk.report": ["report": .structure, "words": .structure],
        "kiosk.restart": [:],
        "ledger.balances": ["household": .text, "upTo": .value],
        "ledger.entries": ["household": .text, "after": .value, "limit": .value],
        "log.list": ["after": .value, "level": .choice(LogLevel.allCases.map(\.rawValue)), "count": .value, "before": .value],
        "output.latency": [:],
        "output.sinks": [:],
        "page.drew": ["frames": .value, "screen": .text, "word": .text],
        "param.get": ["name": .text],
        "param.list": [:],
        "presence.set": ["on": .flag, "sensor": .text, "seconds": .value],
        "preset.list": [:],
        "preset.set": ["name": .text],
        "purchase.redeem": ["receipt": .text],
        "rehearsal.list": [:],
        "rehearse": ["topic": .text, "name": .text],
        "rpc.discover": [:],
        "schedule.week": [:],
        "session.end": [:],
        "session.list": ["count": .value],
        "session.remove": ["session": .text, "force": .flag],
        "session.spare": ["first": .text],
        "session.status": [:],
        "setting.list": [:],
        "setting.reload": [:],
        "speech.say": ["text": .text, "language": .text],
        "speech.stop": [:],
        "status": [:],
        "subscribe": ["topics": .words, "rate": .value],
        "telemetry.export": [
            "session": .text, "since": .text, "until": .text, "format": format, "table": .text, "sessions": .flag, "name": .flag,
            "cursor": .text, "limit": .value,
        ],
        "telemetry.sent": ["position": .text, "table": .text],
        "telemetry.unsent": ["table": .text, "format": format, "limit": .value],
        "texture.list": [:],
        "theme.list": [:],
        "theme.load": ["yaml": .text],
        "theme.set": ["name": .text],
        "token.add": ["name": .text, "role": .choice(Role.allCases.map(\.rawValue))],
        "token.claim": [:],
        "token.invite": ["role": .choice(Role.allCases.map(\.rawValue)), "name": .text],
        "token.list": [:],
        "token.revoke": ["name": .text],
        "volume.set": ["level": .value],
    ]

    private static let format = ParameterKind.choice(TelemetryText.Format.allCases.map(\.rawValue))
}
