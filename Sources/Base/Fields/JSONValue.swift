import JSON

/// Any JSON value. Decoding an object in which a field occurs twice throws a `Fault`.
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
            // −0 stays a `number`: an integer would lose its sign.
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

    /// Builds the value at `node`. Throws also for a number that `Double` cannot hold.
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
            // −0 stays a `number`: an integer would lose its sign.
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

extension JSONValue {
    /// Whether the value can be written as JSON in at most `bytes`, with lists and objects nested at most `levels` deep. A number that is
    /// not finite cannot be written.
    public func fits(levels: Int, bytes: Int) -> Bool {
        var room = bytes
        return take(levels, from: &room)
    }

    /// Subtracts at least the bytes of this value's JSON from `room`. Returns false when the value needs more than `room`, is nested
    /// more than `levels` deep, or contains a number that is not finite.
    private func take(_ levels: Int, from room: inout Int) -> Bool {
        switch self {
        case .null, .flag: room -= 6
        case .integer: room -= 21
        case .number(let number):
            guard number.isFinite else { return false }
            room -= 25
        case .text(let text): room -= Self.bytes(of: text)
        case .list(let list):
            room -= 3
            guard levels > 0, list.allSatisfy({ $0.take(levels - 1, from: &room) }) else { return false }
        case .object(let members):
            room -= 3
            for (name, value) in members {
                room -= Self.bytes(of: name)
                guard levels > 0, value.take(levels - 1, from: &room) else { return false }
            }
        }
        return room >= 0
    }

    /// The largest number of bytes that `text` can take in JSON: a control character, quote or backslash takes at most six when escaped.
    private static func bytes(of text: String) -> Int {
        text.utf8.reduce(4) { $0 + ($1 < 0x20 || $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 6 : 1) }
    }
}

// JSON text, parsed and written.
extension JSONValue {
    /// Parses UTF-8. Throws `JSONRefusal` where the bytes are no JSON or exceed `limits`, and whatever `init(from:)` throws.
    public init(parsing bytes: [UInt8], within limits: JSONLimits = .none) throws {
        self = try JSONValue(from: JSONReading(JSONText(bytes, within: limits)).decoder)
    }

    /// The shortest JSON of the value, with the members of objects sorted by name. All numbers must be finite, as those of parsed JSON are.
    public var written: String {
        guard let bytes = try? JSONWriter.bytes(of: self) else { preconditionFailure("numbers of a JSON value are finite") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
