import Fields

/// What only a household knows, as somebody says it: a PIN, or the id of a badge. Nothing that describes it has its text.
public struct HouseholdSecret: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// Of a parameter that has one.
    public static let field = "secret"
    /// In characters.
    public static let longest = 64

    public let text: String

    public init(_ text: String) { self.text = text }

    /// Reads the parameter `secret`; nil if it is left out. Throws `Fault`, which does not say what was found.
    public static func read(_ fields: Fields, about: String) throws -> HouseholdSecret? {
        do {
            return try fields.textIfPresent(field, limit: longest, about: about).map { HouseholdSecret($0) }
        } catch let fault as Fault {
            throw Fault(field: fault.field, expected: fault.expected)
        }
    }

    public var description: String { "a secret" }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
