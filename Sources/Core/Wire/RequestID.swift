import Fields
import Signals

/// What ties an answer to its request: any JSON number, a text of at most 256 bytes, or null.
public enum RequestID: Equatable, Sendable, Codable {
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case text(String)
    case null

    /// Bytes of a text: it is repeated in the answer.
    private static let longest = 256

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let integer = try? container.decode(Int64.self) {
            self = .integer(integer)
        } else if let unsigned = try? container.decode(UInt64.self) {
            self = .unsigned(unsigned)
        } else if let number = try? container.decode(Double.self), number.isFinite {
            self = .number(number)
        } else if let text = try? container.decode(String.self), text.utf8.count <= Self.longest {
            self = .text(text)
        } else {
            throw Fault(field: "id", expected: "a number, text of at most \(Self.longest) bytes or null")
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .integer(let integer): try container.encode(integer)
        case .unsigned(let unsigned): try container.encode(unsigned)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .null: try container.encodeNil()
        }
    }
}
