import Fields

/// One value of an OSC message. Thrum supports the types that OSC 1.0 requires, and those optional types that have a meaning here.
public enum OSCArgument: Equatable, Sendable {
    case integer(Int64)
    case number(Double)
    case text(String)
    case flag(Bool)
    case nothing
}

/// An OSC message: an address, or a pattern of addresses, and its arguments.
public struct OSCMessage: Equatable, Sendable {
    public var address: String
    public var arguments: [OSCArgument]
    /// The reason why the message's values could not be read, although its address could; nil if all were read. Only this message is
    /// refused; the other messages in its bundle count.
    public var fault: Fault?

    public init(_ address: String, _ arguments: [OSCArgument] = [], fault: Fault? = nil) {
        self.address = address
        self.arguments = arguments
        self.fault = fault
    }
}

/// A moment in the format of NTP: seconds since 1900 in UTC in the upper 32 bits, and fractions of a second in the lower 32 bits.
public struct OSCTime: Equatable, Sendable {
    public let rawValue: UInt64

    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// The value that means "at once" in OSC 1.0.
    public static let immediately = OSCTime(1)

    /// The moment in nanoseconds since 1970-01-01 in UTC. Moments go from 1900 to 2036, when NTP's seconds start again at 0.
    public var unixNanoseconds: Int64 {
        let seconds = Int64(rawValue >> 32) - 2_208_988_800
        return seconds * 1_000_000_000 + Int64(((rawValue & 0xFFFF_FFFF) * 1_000_000_000) >> 32)
    }
}

/// The content of one datagram: a message, or a bundle of messages that belong together (Open Sound Control 1.0,
/// opensoundcontrol.org/spec-1_0).
public enum OSCPacket: Equatable, Sendable {
    case message(OSCMessage)
    indirect case bundle(OSCTime, [OSCPacket])

    /// The deepest allowed nesting of bundles.
    static let depthLimit = 8

    /// The largest number of messages in a packet, and also of bundles.
    static let messageLimit = 64

    /// The largest number of values in a message. All methods have fewer parameters.
    static let argumentLimit = 16

    /// The largest length of an address, in bytes.
    static let addressLimit = 256

    /// Parses a datagram. Throws `Fault`.
    public init(_ bytes: [UInt8]) throws(Fault) {
        var count = (messages: 0, bundles: 0)
        self = try Self.read(bytes[...], depth: 0, &count)
    }

    /// All messages in the packet. Each comes with the time of the bundle that contains it; a time of nil means at once.
    public var messages: [(time: OSCTime?, message: OSCMessage)] { messages(at: nil) }

    private func messages(at time: OSCTime?) -> [(time: OSCTime?, message: OSCMessage)] {
        switch self {
        case .message(let message): [(time, message)]
        case .bundle(let own, let packets): packets.flatMap { $0.messages(at: own == .immediately ? nil : own) }
        }
    }

    private static func read(_ bytes: ArraySlice<UInt8>, depth: Int, _ count: inout (messages: Int, bundles: Int)) throws(Fault)
        -> OSCPacket {
        var reader = OSCReader(bytes)
        let address = try reader.text("address")
        if address == "#bundle" {
            guard depth < depthLimit else { throw Fault(field: "bundle", expected: "at most \(depthLimit) bundles within one another") }
            count.bundles += 1
            guard count.bundles <= messageLimit else {
                throw Fault(field: "bundle", expected: "at most \(messageLimit) bundles in a datagram")
            }
            let time = OSCTime(try reader.bits64("time tag"))
            var packets: [OSCPacket] = []
            while !reader.isAtEnd { packets.append(try read(try reader.block("element"), depth: depth + 1, &count)) }
            return .bundle(time, packets)
        }
        count.messages += 1
        guard count.messages <= messageLimit else {
            throw Fault(field: "bundle", expected: "at most \(messageLimit) messages in a datagram")
        }
        guard address.utf8.count <= addressLimit else {
            throw Fault(field: "address", expected: "at most \(addressLimit) bytes", found: "\(address.utf8.count)")
        }
        guard address.hasPrefix("/") else {
            throw Fault(field: "address", expected: "text that begins with / or is #bundle", found: "\"\(address)\"")
        }
        // Some old senders leave the list of types out where there are no values.
        guard !reader.isAtEnd else { return .message(OSCMessage(address)) }
        let types = try reader.text("types")
        guard types.hasPrefix(",") else { throw Fault(field: "types", expected: "text that begins with a comma", found: "\"\(types)\"") }
        guard types.utf8.count - 1 <= argumentLimit else {
            throw Fault(field: "types", expected: "at most \(argumentLimit) values", found: "\(types.utf8.count - 1)")
        }
        if let fault = OSCReader.unknownType(in: types.dropFirst()) { return .message(OSCMessage(address, fault: fault)) }
        var arguments: [OSCArgument] = []
        for type in types.dropFirst() { arguments.append(try reader.argument(type)) }
        guard reader.isAtEnd else { throw Fault(field: "types", expected: "a type for each value", found: "more values") }
        return .message(OSCMessage(address, arguments))
    }
}

/// Reads values in OSC's binary format: big-endian, each padded to a multiple of four bytes.
struct OSCReader {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func argument(_ type: Character) throws(Fault) -> OSCArgument {
        switch type {
        case "i": .integer(Int64(Int32(bitPattern: try bits32("value"))))
        case "h": .integer(Int64(bitPattern: try bits64("value")))
        case "f": .number(try finite(Double(Float(bitPattern: try bits32("value")))))
        case "d": .number(try finite(Double(bitPattern: try bits64("value"))))
        case "s", "S": .text(try text("value"))
        case "T": .flag(true)
        case "F": .flag(false)
        case "N": .nothing
        default: throw Self.unknown(type)
        }
    }

    /// Returns the fault for the first unknown type; nil if all are known. The length of a value of unknown type cannot be known either.
    static func unknownType(in types: Substring) -> Fault? { types.first { !knownTypes.contains($0) }.map(unknown) }

    private static let knownTypes = "ihfdsSTFN"

    private static func unknown(_ type: Character) -> Fault {
        Fault(field: "types", expected: "values of the types \(knownTypes.map(String.init).joined(separator: ", "))", found: "\"\(type)\"")
    }

    /// Reads a text, the zero byte that ends it, and the padding. Throws where one of these is missing, or the text is not UTF-8.
    mutating func text(_ field: String) throws(Fault) -> String {
        guard let end = rest.firstIndex(of: 0) else { throw Fault(field: field, expected: "text that ends with a zero") }
        guard let text = String(validating: rest[..<end], as: UTF8.self) else { throw Fault(field: field, expected: "text in UTF-8") }
        let length = (end - rest.startIndex + 4) / 4 * 4
        guard length <= rest.count else { throw Fault(field: field, expected: "text padded to a multiple of four bytes") }
        rest = rest.dropFirst(length)
        return text
    }

    /// Reads a length, and then that many bytes. Throws where the length is no multiple of four, or goes beyond the packet's end.
    mutating func block(_ field: String) throws(Fault) -> ArraySlice<UInt8> {
        let length = Int(Int32(bitPattern: try bits32(field)))
        guard length > 0, length % 4 == 0, length <= rest.count else {
            throw Fault(field: field, expected: "a length that is a multiple of four, up to the packet's end", found: "\(length)")
        }
        defer { rest = rest.dropFirst(length) }
        return rest.prefix(length)
    }

    mutating func bits32(_ field: String) throws(Fault) -> UInt32 { UInt32(truncatingIfNeeded: try bits(field, 4)) }
    mutating func bits64(_ field: String) throws(Fault) -> UInt64 { try bits(field, 8) }

    private mutating func bits(_ field: String, _ count: Int) throws(Fault) -> UInt64 {
        guard rest.count >= count else { throw Fault(field: field, expected: "\(count) bytes", found: "\(rest.count)") }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func finite(_ number: Double) throws(Fault) -> Double {
        guard number.isFinite else { throw Fault(field: "value", expected: "a finite number", found: "\(number)") }
        return number
    }
}

extension OSCMessage {
    /// The message as bytes. A number takes 32 bits if it fits, else 64.
    public var bytes: [UInt8] {
        var types = ","
        var values: [UInt8] = []
        for argument in arguments {
            switch argument {
            case .integer(let integer):
                if let short = Int32(exactly: integer) {
                    types += "i"
                    values += Self.bytes(UInt32(bitPattern: short))
                } else {
                    types += "h"
                    values += Self.bytes(UInt64(bitPattern: integer))
                }
            case .number(let number) where Float(number).isFinite:
                types += "f"
                values += Self.bytes(Float(number).bitPattern)
            case .number(let number):
                types += "d"
                values += Self.bytes(number.bitPattern)
            case .text(let text):
                types += "s"
                values += Self.padded(text)
            case .flag(let flag): types += flag ? "T" : "F"
            case .nothing: types += "N"
            }
        }
        return Self.padded(address) + Self.padded(types) + values
    }

    private static func padded(_ text: String) -> [UInt8] {
        let bytes = text.utf8.filter { $0 != 0 }
        return bytes + [UInt8](repeating: 0, count: 4 - bytes.count % 4)
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}

extension OSCPacket {
    /// The largest number of a notification's fields that become messages. Further fields are left out.
    static let fieldLimit = 60

    /// Creates the bundle by which programs that speak OSC get a notification. It has a message for each field, and then a message without
    /// values, which says that all fields have come. The notification `unlock` with the field `skin` becomes `/thrum/unlock/skin` and
    /// `/thrum/unlock`. Dots in a topic's name, fields within fields and indices of lists (from 0) become parts of the address. Fields are
    /// ordered by address; null is left out. `line` must be a notification's line (`Notification.line`), else the result is nil.
    public init?(notification line: [UInt8]) {
        guard case .object(let call)? = try? JSONValue(parsing: line), case .text(let method)? = call["method"],
              case .object(let fields)? = call["params"] else { return nil }
        let address = "/thrum/" + method.split(separator: ".").joined(separator: "/")
        var messages: [OSCMessage] = []
        Self.add(.object(fields), at: address, to: &messages)
        self = .bundle(.immediately, (messages.prefix(Self.fieldLimit) + [OSCMessage(address)]).map { .message($0) })
    }

    private static func add(_ value: JSONValue, at address: String, to messages: inout [OSCMessage]) {
        func add(_ argument: OSCArgument) { messages.append(OSCMessage(address, [argument])) }
        switch value {
        case .null: break
        case .flag(let flag): add(.flag(flag))
        case .integer(let integer): add(.integer(integer))
        case .number(let number): add(.number(number))
        case .text(let text): add(.text(text))
        case .list(let list):
            for (index, value) in list.enumerated() { Self.add(value, at: "\(address)/\(index)", to: &messages) }
        case .object(let fields):
            // A field whose name cannot be part of an address is left out: it would look like a pattern.
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) where name.utf8.allSatisfy(isOfAddress) {
                Self.add(value, at: "\(address)/\(name)", to: &messages)
            }
        }
    }

    private static func isOfAddress(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) && !"#*,/?[]{}".utf8.contains(byte) }

    /// The packet's bytes, for a datagram.
    public var bytes: [UInt8] {
        switch self {
        case .message(let message): message.bytes
        case .bundle(let time, let packets):
            packets.reduce(Array("#bundle\0".utf8) + Self.bytes(time.rawValue)) { bytes, packet in
                let element = packet.bytes
                return bytes + Self.bytes(UInt32(element.count)) + element
            }
        }
    }

    private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
}
