/// Any JSON, as it is. An object that has a field twice is refused by a `Fault`.
public enum JSONValue: Codable, Equatable, Sendable {
    case null
    case flag(Bool)
    case integer(Int64)
    case number(Double)
    case text(String)
    case list([JSONValue])
    case object([String: JSONValue])

    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .flag(flag)
        } else if let integer = try? container.decode(Int64.self) {
            // A zero may have a sign, which whole numbers do not keep.
            let isNegativeZero = integer == 0 && (try? container.decode(Double.self))?.sign == .minus
            self = isNegativeZero ? .number(-0.0) : .integer(integer)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .list(try container.decode([JSONValue].self))
        } else {
            let members = try decoder.container(keyedBy: Fields.Key.self)
            var object: [String: JSONValue] = [:]
            for key in members.allKeys {
                guard object.updateValue(try members.decode(JSONValue.self, forKey: key), forKey: key.stringValue) == nil else {
                    throw Fault(field: Fields.path(decoder.codingPath + [key]), expected: "one value", found: "several")
                }
            }
            self = .object(object)
        }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .flag(let flag): try container.encode(flag)
        case .integer(let integer): try container.encode(integer)
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .object(let object): try container.encode(object)
        }
    }
}
