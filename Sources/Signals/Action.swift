import Fields

/// An event in the words of one piece. The core carries it by its name; only that piece knows what it means.
public struct Action: Equatable, Sendable {
    public let body: any ActionBody

    public init(_ body: any ActionBody) { self.body = body }

    /// On the wire and in journals, for instance `feed.scroll`.
    public var name: String { body.name }

    public static func == (a: Action, b: Action) -> Bool { a.body.isEqual(to: b.body) }
}

/// What an action says. A piece's own, or `UncheckedAction`.
public protocol ActionBody: Equatable, Sendable {
    /// One of those that the piece declares.
    var name: String { get }
    /// Writes the fields as the piece's reader reads them. What is nil is left out.
    func encode(into container: inout KeyedEncodingContainer<Fields.Key>) throws
}

extension ActionBody {
    fileprivate func isEqual(to other: any ActionBody) -> Bool { other as? Self == self }
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
