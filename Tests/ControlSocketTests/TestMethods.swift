import Fields
import Wire

/// A method by its name.
struct Named: Command {
    let name: String
}

/// The events, and methods that are answered without a word of their own.
let testMethods = MethodTable(
    Method.events(turning: []) + [.ping] + [
        ("hello", .look), ("rpc.discover", .look), ("status", .look), ("subscribe", .look), ("session.end", .act(by: .visitor)), ("session.status", .look),
    ].map { (name: String, access: Access) in
        Method(name, access, "", result: "", examples: []) { fields in
            if name == "hello" { _ = try fields.textIfPresent("client") }
            return .command(Named(name: name))
        }
    })

extension Call {
    /// The method's, or the event's.
    var name: String {
        switch self {
        case .event(let kind, _): kind.name
        case .ping: "ping"
        case .command(let command): (command as? Named)?.name ?? "strange"
        }
    }
}
