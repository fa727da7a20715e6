import Fields
import Signals

/// One value of an OSC message, of the types that OSC 1.0 asks for and those of its list that have a meaning here.
public enum OSCArgument: Equatable, Sendable {
    case integer(Int64)
    case number(Double)
    case text(String)
    case flag(Bool)
    case nothing
}

/// An address, or a pattern of addresses, and what is sent to it.
public struct OSCMessage: Equatable, Sendable {
    public var address: String
    public var arguments: [OSCArgument]
    /// Why its values could not be read, though its address could; nil when they could. It is refused alone, not with its bundle.
    public var fault: Fault?

    public init(_ address: String, _ arguments: [OSCArgument] = [], fault: Fault? = nil) {
        self.address = address
        self.arguments = arguments
        self.fault = fault
    }
}

/// A moment as NTP has it: seconds since 1900 in UTC in the upper 32 bits, and parts of a second in the lower.
public struct OSCTime: Equatable, Sendable {
    public let rawValue: UInt64

    public init(_ rawValue: UInt64) { self.rawValue = rawValue }

    /// OSC 1.0 has this one mean "at once".
    public static let immediately = OSCTime(1)

    /// Nanoseconds since 1970-01-01 in UTC; from 1900 to 2036, when NTP's seconds begin anew.
    public var unixNanoseconds: Int64 {
        let seconds = Int64(rawValue >> 32) - 2_208_988_800
        return seconds * 1_000_000_000 + Int64(((rawValue & 0xFFFF_FFFF) * 1_000_000_000) >> 32)
    }
}

/// What one datagram holds: a message, or several that belong together (Open Sound Control 1.0, opensoundcontrol.org/spec-1_0).
public enum OSCPacket: Equatable, Sendable {
    case message(OSCMessage)
    indirect case bundle(OSCTime, [OSCPacket])

    /// Bundles within bundles, at most.
    static let depthLimit = 8

    /// Messages of a packet, and bundles, at most.
    static let messageLimit = 64

    /// Values of a message, at most. No method has as many.
    static let argumentLimit = 16

    /// Bytes of an address.
    static let addressLimit = 256

    /// Throws `Fault`.
    public init(_ bytes: [UInt8]) throws(Fault) {
        var count = (messages: 0, bundles: 0)
        self = try Self.read(bytes[...], depth: 0, &count)
    }

    /// Every message in it, with the time of its own bundle; nil for at once.
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
        // Some old senders leave the types out where there are no values.
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
