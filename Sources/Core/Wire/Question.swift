import Experience
import Fields
import Registry
import Signals

/// What a front end may ask of the experience; nothing changes by it.
public enum Question: Equatable, Sendable {
    /// In the words of a piece.
    case piece(PieceQuery)
    case knobs
    /// A knob's or counter's name.
    case knob(String)

    public static let methods = Registry.pieces.flatMap { $0.declaration.queries.map(\.name) } + ["param.list", "param.get"]
    private static let declared = Dictionary(uniqueKeysWithValues: Registry.pieces.flatMap { $0.declaration.queries.map { ($0.name, $0) } })

    /// Nil when no question is called so.
    init?(method: String, _ parameters: Fields) throws {
        switch method {
        case "param.list":
            try parameters.refuseAll(but: [])
            self = .knobs
        case "param.get":
            try parameters.refuseAll(but: ["name"])
            self = .knob(try parameters.text("name", about: "of a knob or a counter"))
        default:
            guard let query = Self.declared[method] else { return nil }
            self = .piece(try query.query(parameters))
        }
    }
}
