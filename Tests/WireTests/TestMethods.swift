import Experience
import Fields
import Signals
import Wire

/// What the methods of these tests ask for, beside events.
enum Asked: Equatable, Command {
    case greeting(name: String?, gestures: Bool)
    case status
    case cards(from: Int, count: Int)
    case topics([String])
}

extension Call: Equatable {
    public static func == (one: Call, other: Call) -> Bool {
        switch (one, other) {
        case (.event(let kind, let moment), .event(let otherKind, let otherMoment)): kind == otherKind && moment == otherMoment
        case (.ping(let timeout), .ping(let otherTimeout)): timeout == otherTimeout
        case (.command(let command as Asked), .command(let otherCommand as Asked)): command == otherCommand
        default: false
        }
    }
}

extension Request: Equatable {
    public static func == (one: Request, other: Request) -> Bool { one.id == other.id && one.call == other.call }
}

/// An action of a piece that these tests have.
struct Walk: ActionBody {
    var steps: Int
    var name: String { "walk" }
    func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws { try container.encode(steps, forKey: .init("steps")) }
}

let knobs = [Knob("speed", .number(0...60, standard: 5), unit: "seconds", about: ""), Knob("is-shy", .flag(standard: false), about: "")]
let topics = ["event", "cue", "meters"]

/// The events of every piece, an action, and a method of each kind.
let table = MethodTable(
    Method.events(turning: knobs) + [
        .ping,
        .action(ActionDeclaration("walk", about: "Somebody walks.") { Walk(steps: try $0.integer("steps", in: 0...1_000_000)) }),
        Method("hello", .look, "", result: "greeting", examples: []) {
            .command(Asked.greeting(name: try $0.textIfPresent("client"), gestures: try $0.flagIfPresent("gestures") ?? false))
        },
        Method("status", .look, "", result: "status", examples: []) { _ in .command(Asked.status) },
        Method("subscribe", .look, "", result: "subscription", examples: []) {
            .command(Asked.topics(try $0.choicesIfPresent("topics", of: topics) ?? []))
        },
        Method("theme.set", .act(by: .operator), "", result: "receipt", examples: []) { _ in .command(Asked.status) },
        Method("cards", .look, "", result: "cards", examples: []) {
            .command(Asked.cards(from: try $0.integer("from", in: 0...1_000), count: try $0.integerIfPresent("count", in: 1...256) ?? 256))
        },
    ],
    experience: "park",
    others: [Declaration(name: "lake", rulesVersion: 1, about: "", actions: [ActionDeclaration("swim", about: "") { _ in Walk(steps: 0) }])])
