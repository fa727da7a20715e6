import Fields
import Wire

/// The events, and methods that are answered without a word of their own.
let testMethods = MethodTable<String>(
    Method.events(turning: []) + [.ping] + [
        ("hello", .look), ("rpc.discover", .look), ("status", .look), ("subscribe", .look), ("session.end", .act(by: .visitor)), ("session.status", .look),
    ].map { (name: String, access: Access) in
        Method(name, access, "", result: "", examples: []) { fields in
            if name == "hello" { _ = try fields.textIfPresent("client") }
            return .command(name)
        }
    })

extension Call<String> {
    /// The method's, or the event's.
    var name: String {
        switch self {
        case .event(let kind, _): kind.name
        case .ping: "ping"
        case .command(let name): name
        }
    }
}
