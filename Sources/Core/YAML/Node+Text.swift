import Yams

extension Node {
    /// As YAML has it within braces.
    public var inOneLine: String {
        switch self {
        case .scalar(let scalar): scalar.string
        case .mapping(let mapping): "{" + mapping.map { "\($0.key.inOneLine): \($0.value.inOneLine)" }.joined(separator: ", ") + "}"
        case .sequence(let sequence): "[" + sequence.map(\.inOneLine).joined(separator: ", ") + "]"
        case .alias: ""
        }
    }
}
