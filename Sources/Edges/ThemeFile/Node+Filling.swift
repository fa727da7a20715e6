import Fields
import Signals
import YAML
import Yams

/// Putting into a YAML mapping what it leaves out. What is filled in has no line.
extension Node {
    static var emptyMapping: Node { Node(fields: []) }

    /// Takes field `name` out of a mapping; nil if it is not there.
    mutating func take(_ name: String) -> Node? {
        guard case .mapping(let mapping) = self, let value = mapping[name] else { return nil }
        let others = mapping.filter { $0.key.string != name }.map { ($0.key, $0.value) }
        self = .mapping(.init(others, mapping.tag, .any, mapping.mark))
        return value
    }

    /// Nothing happens to what is no mapping, or has the field.
    mutating func fill(_ name: String, _ value: Node) {
        guard case .mapping(let mapping) = self, mapping[name] == nil else { return }
        put(name, value)
    }

    /// Nothing happens where `value` is nil.
    mutating func put(_ name: String, _ value: Node?) {
        guard case .mapping(var mapping) = self, let value else { return }
        mapping[name] = value
        self = .mapping(mapping)
    }

    /// A list with each of its elements changed; what is no list as it is.
    func mapped(_ change: (inout Node) throws -> Void) rethrows -> Node {
        guard case .sequence(let sequence) = self else { return self }
        let nodes = try sequence.map { node in
            var node = node
            try change(&node)
            return node
        }
        return .sequence(.init(nodes, .implicit, .any, sequence.mark))
    }

    /// Throws `Fault`.
    func decoded<Value: Decodable>(as type: Value.Type, _ standIns: StandIns = StandIns()) throws -> Value {
        do {
            return try YAMLDecoder().decode(type, from: self, userInfo: [.standIns: standIns])
        } catch DecodingError.dataCorrupted(let context) {
            throw (context.underlyingError as? Fault) ?? Fault(field: "", expected: "a theme", found: context.debugDescription)
        }
    }
}

func number(_ value: Double) -> Node { Node(Fault.plain(value)) }

/// What somebody wrote, in a word, for a fault.
func kind(of node: Node) -> String {
    switch node {
    case .mapping: "a mapping"
    case .sequence: "a list"
    case .scalar(let scalar) where scalar.string.isEmpty: "nothing"
    case .scalar(let scalar): "\"\(scalar.string.prefix(40))\""
    case .alias: "an alias"
    }
}
