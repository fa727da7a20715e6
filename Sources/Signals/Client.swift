/// Who reports an event.
public enum Client: Hashable, Sendable {
    /// Thrum itself.
    case engine
    /// A touchscreen that Thrum reads, numbered from 1.
    case screen(Int)
    /// A front end's connection, numbered from 1.
    case connection(Int)

    /// By its number on the wire and in journals.
    public init(number: Int) {
        self = number == 0 ? .engine : number > 0 ? .connection(number) : .screen(-number)
    }

    /// 0 is the engine, 1 and up are connections, −1 and down are screens.
    public var number: Int {
        switch self {
        case .engine: 0
        case .screen(let number): -number
        case .connection(let number): number
        }
    }
}

extension Client: Comparable {
    public static func < (a: Client, b: Client) -> Bool { a.number < b.number }
}

extension Client: CustomStringConvertible {
    public var description: String { "\(number)" }
}

/// As its number.
extension Client: Codable {
    public init(from decoder: any Decoder) throws { self.init(number: try decoder.singleValueContainer().decode(Int.self)) }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(number)
    }
}
