/// What a field of an answer or an announcement holds, where its type does not say it.
public enum FieldMeaning: Equatable, Sendable, ExpressibleByStringLiteral {
    /// A text that is one of these.
    case words([String], about: String)
    /// A text, in words for people.
    case about(String)
    /// A number, true or false, or a word of a fixed set: in words for people, with the unit.
    case value(String)

    public init(stringLiteral value: String) { self = .about(value) }

    /// In words for people.
    public var about: String {
        switch self {
        case .words(_, let about), .about(let about), .value(let about): about
        }
    }

    /// Whether it is of a text.
    public var isOfText: Bool {
        switch self {
        case .words, .about: true
        case .value: false
        }
    }
}
