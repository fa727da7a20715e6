import Fields

/// An event in the words of one piece. The core carries it by its name; only that piece knows what it means.
public struct Action: Equatable, Sendable {
    public let body: any ActionBody
    /// The household that it is for, if who asks for it says so: the house does not act where another one is there. No part of what has
    /// happened, so no journal has it.
    public var household: String?
    /// By which who asks enters a household, if they say it. No journal has it, nor does it go further than the house.
    public var secret: HouseholdSecret?

    public init(_ body: any ActionBody) { self.body = body }

    /// On the wire and in journals, for instance `feed.scroll`.
    public var name: String { body.name }

    public static func == (a: Action, b: Action) -> Bool { a.body.isEqual(to: b.body) }
}

/// What an action says. A piece's own, or `UncheckedAction`.
public protocol ActionBody: Equatable, Sendable {
    /// One of those that the piece declares.
    var name: String { get }
    /// Under which the action counts once; nil for one that counts each time. The house answers another of the same key as it answered the
    /// first, and does nothing.
    var key: ActionKey? { get }
    /// The household that enters by it; nil for an action by which none does.
    var entering: String? { get }
    /// Writes the fields as the piece's reader reads them. What is nil is left out.
    func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws
}

extension ActionBody {
    public var key: ActionKey? { nil }
    public var entering: String? { nil }

    fileprivate func isEqual(to other: any ActionBody) -> Bool { other as? Self == self }
}

/// Tells an action from all others (an idempotency key). It is the key of an entry of the ledger.
public struct ActionKey: Hashable, Sendable {
    /// For whom an action of the key counts once.
    public enum Scope: Hashable, Sendable {
        /// For a household; each has its own keys.
        case household
        /// For all households together, of all pieces.
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
