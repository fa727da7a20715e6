import Fields

/// An event in the words of one piece. The core carries it by its name; only that piece knows what it means.
public struct Action: Equatable, Sendable {
    public let body: any ActionBody
    /// The household that the action is for, if the client says so: the house does not act where another one is there. It is no part of
    /// what has happened, so no journal has it.
    public var household: String?
    /// The secret by which the client enters a household; nil if it gives none. No journal has it, and it does not go further than the
    /// house.
    public var secret: HouseholdSecret?

    public init(_ body: any ActionBody) { self.body = body }

    /// The action's name on the wire and in journals, for instance `feed.scroll`.
    public var name: String { body.name }

    public static func == (a: Action, b: Action) -> Bool { a.body.isEqual(to: b.body) }
}

/// The content of an action: a type of a piece, or `UncheckedAction`.
public protocol ActionBody: Equatable, Sendable {
    /// The action's name, one of those that the piece declares.
    var name: String { get }
    /// The key under which the action counts once; nil for an action that counts each time. The house answers another action of the same
    /// key as it answered the first, and does nothing.
    var key: ActionKey? { get }
    /// The household that enters by the action; nil for an action by which none does.
    var entering: String? { get }
    /// Writes the fields as the piece's reader reads them. Fields that are nil are left out.
    func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws
}

extension ActionBody {
    public var key: ActionKey? { nil }
    public var entering: String? { nil }

    fileprivate func isEqual(to other: any ActionBody) -> Bool { other as? Self == self }
}

/// An idempotency key, which tells an action from all others. It is the key of an entry of the ledger.
public struct ActionKey: Hashable, Sendable {
    /// The scope in which an action of the key counts once.
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

/// An action as a journal has it, which no piece has read yet.
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

/// A secret that only a household knows, as somebody gives it: a PIN, or the id of a badge. No description of this value has its text.
public struct HouseholdSecret: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// The name of the parameter that has a secret.
    public static let field = "secret"
    /// The most characters in a secret.
    public static let longest = 64

    public let text: String

    public init(_ text: String) { self.text = text }

    /// Reads the parameter `secret`; nil if it is left out. Throws a `Fault` that does not say what was found.
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
