/// Describes one field: its name, and the values that its reader accepts.
public struct FieldDescription: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case number(ClosedRange<Double>, unit: String?)
        case integer(ClosedRange<Int>, unit: String?)
        case flag
        case text(limit: Int)
        case choice([String])
        /// A list in which each element is one of these choices.
        case choices([String])
        /// A value that is decoded by a type of its own: an object, or also a list where `orList` is true.
        case structure(orList: Bool)
        /// One of several kinds; which one depends on the value of another field.
        case either([Kind])
    }

    public var name: String
    public var kind: Kind
    public var isRequired: Bool
    /// An explanation of the field for people; may be empty.
    public var about: String
}

/// Collects the descriptions of the fields that a reader asks for while it runs.
final class FieldNotes {
    private(set) var fields: [FieldDescription] = []
    /// The choice that the reader gets for each field with choices, by the field's name: an index into the choices. While a reader only
    /// runs to be described, there is no input to choose. A field that is missing here gives the first choice.
    var choices: [String: Int] = [:]

    /// Notes the field `name` as required; if it is noted already, adds `kind` to its possible kinds. Returns `value`, which the reader
    /// gets because there is no input.
    func require<Value>(_ name: String, _ kind: FieldDescription.Kind, _ about: String, _ value: Value) -> Value {
        if let known = fields.firstIndex(where: { $0.name == name }) {
            let kinds = fields[known].kind.all
            if !kinds.contains(kind) { fields[known].kind = .either(kinds + [kind]) }
        } else {
            fields.append(FieldDescription(name: name, kind: kind, isRequired: true, about: about))
        }
        return value
    }

    func relax(_ name: String) {
        if let known = fields.firstIndex(where: { $0.name == name }) { fields[known].isRequired = false }
    }
}

extension FieldDescription.Kind {
    fileprivate var all: [FieldDescription.Kind] { if case .either(let kinds) = self { kinds } else { [self] } }
}
