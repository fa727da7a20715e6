/// Describes what a field may hold, as its reader asks for it.
public struct FieldDescription: Equatable, Sendable {
    public enum Kind: Equatable, Sendable {
        case number(ClosedRange<Double>, unit: String?)
        case integer(ClosedRange<Int>, unit: String?)
        case flag
        case text(limit: Int)
        case choice([String])
        /// A list of choices.
        case choices([String])
        /// A value with a format of its own: an object, or where allowed also a list.
        case structure(orList: Bool)
        /// One of these kinds, depending on another field.
        case either([Kind])
    }

    public var name: String
    public var kind: Kind
    public var isRequired: Bool
    /// Describes the field for people; may be empty.
    public var about: String
}

/// Collects the descriptions of fields while a reader runs.
final class FieldNotes {
    private(set) var fields: [FieldDescription] = []
    /// Which of its choices a field is read as having, as an index, by the field's name; 0 where it is not here.
    var choices: [String: Int] = [:]

    /// Notes a field, and returns `value` for the reader to go on with.
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
