import JSON

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
        if let json = decoder as? JSONNodeDecoder {
            self = try Self(json.reading, json.node)
            return
        }
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

    /// A value of our own reading. Throws for a number that no `Double` holds, too.
    private init(_ reading: JSONReading, _ node: Int) throws {
        switch reading.kind(node) {
        case .object, .name:
            var members: [String: JSONValue] = [:]
            for name in reading.text.children(of: node) {
                guard let key = reading.string(name) else { continue }
                guard members.updateValue(try JSONValue(reading, name + 1), forKey: key) == nil else {
                    throw Fault(field: Fields.path(reading.path(of: name + 1)), expected: "one value", found: "several")
                }
            }
            self = .object(members)
        case .list: self = .list(try reading.text.children(of: node).map { try JSONValue(reading, $0) })
        case .text: self = .text(reading.string(node) ?? "")
        case .number, .unnumber:
            // A zero may have a sign, which whole numbers do not keep.
            if let integer: Int64 = reading.integer(node), integer != 0 || reading.number(node)?.sign != .minus {
                self = .integer(integer)
            } else if let number = reading.number(node) {
                self = .number(number)
            } else {
                throw DecodingError.dataCorrupted(.init(codingPath: reading.path(of: node), debugDescription: "a number out of bounds"))
            }
        case .yes: self = .flag(true)
        case .no: self = .flag(false)
        case .null: self = .null
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
