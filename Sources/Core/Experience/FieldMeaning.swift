/// What a text of an answer or an announcement holds, where its type does not say it.
public enum TextMeaning: Equatable, Sendable, ExpressibleByStringLiteral {
    /// One of these.
    case words([String])
    /// In words for people.
    case about(String)

    public init(stringLiteral value: String) { self = .about(value) }
}
