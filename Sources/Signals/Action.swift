import Fields

/// An event that belongs to one piece. The core knows only its name and passes it on; what it means is for that piece to know.
public struct Action: Equatable, Sendable {
    public let body: any ActionBody
    /// The name of the household that the action is for; nil if the client does not say. The house refuses the action while another
    /// household is present. Journals do not contain this name, because it only serves that check.
    public var household: String?
    /// The secret by which the client enters a household; nil if the client sends none. Journals do not contain it, and the house removes
    /// it from the action once it has checked it.
    public var secret: HouseholdSecret?

    public init(_ body: any ActionBody) { self.body = body }

    /// The action's name on the wire and in journals, for instance `feed.scroll`.
    public var name: String { body.name }

    public static func == (a: Action, b: Action) -> Bool { a.body.isEqual(to: b.body) }
}

/// The content of an action: a type that the piece defines, or `UncheckedAction`.
public protocol ActionBody: Equatable, Sendable {
    /// The action's name, one of those that the piece declares.
    var name: String { get }
    /// The idempotency key; nil for an action that counts each time. An action whose key was seen before has no effect, and the house
    /// answers it with the answer to the first.
    var key: ActionKey? { get }
    /// The name of the household that enters by this action, that is, becomes the present one; nil for an action that lets no household in.
    var entering: String? { get }
    /// Writes the fields in the form in which the piece reads them. Fields that are nil are left out.
    func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws
}

extension ActionBody {
    public var key: ActionKey? { nil }
    public var entering: String? { nil }

    fileprivate func isEqual(to other: any ActionBody) -> Bool { other as? Self == self }
}

/// An idempotency key: of several actions with the same key, only the first counts. The ledger stores it with the entry that the action
/// made.
public struct ActionKey: Hashable, Sendable {
    /// The area in which a key counts once.
    public enum Scope: Hashable, Sendable {
        /// The key counts once in each household.
        case household
        /// The key counts once in all households of all pieces.
        case everybody
    }

    public let text: String
    public let scope: Scope

    public init(_ text: String, for scope: Scope = .household) {
        self.text = text
        self.scope = scope
    }
}

/// An action as it stands in a journal, before the piece has read its fields.
public struct UncheckedAction: ActionBody {
    public let name: String
    public let fields: [String: JSONValue]

    public init(name: String, fields: [String: JSONValue]) {
        self.name = name
        self.fields = fields
    }

    public func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws {
        for (name, value) in fields { try container.encode(value, forKey: Fields.Key(name)) }
    }
}

/// A secret that only a household knows, as a client sends it: a PIN, or the id of a badge. Descriptions of this value never contain its
/// text.
public struct HouseholdSecret: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The name of the parameter that holds a secret.
    public static let field = "secret"
    /// The largest number of characters in a secret.
    public static let longest = 64

    public let text: String

    public init(_ text: String) { self.text = text }

    /// Reads the parameter `secret`; nil if it is missing. The `Fault` that it throws does not say what was found.
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
