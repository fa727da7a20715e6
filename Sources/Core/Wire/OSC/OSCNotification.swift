import Fields

extension OSCPacket {
    /// Fields of a notification that become messages, at most. More are left out.
    static let fieldLimit = 60

    /// A notification as programs that speak OSC hear it: a bundle of a message for each field, and one without values after them, by which
    /// a receiver knows that all are there. The notification `unlock` with `skin` becomes `/thrum/unlock/skin` and `/thrum/unlock`; points
    /// in a topic's name, fields within fields and places in a list, counted from 0, become parts of the address. Fields come in the order
    /// of their addresses; null is left out. `line` is a notification's line (`Notification.line`); nil for any other.
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
            for (place, value) in list.enumerated() { Self.add(value, at: "\(address)/\(place)", to: &messages) }
        case .object(let fields):
            // A name that is no part of an address could not be told from a pattern.
            for (name, value) in fields.sorted(by: { $0.key < $1.key }) where name.utf8.allSatisfy(isOfAddress) {
                Self.add(value, at: "\(address)/\(name)", to: &messages)
            }
        }
    }

    private static func isOfAddress(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) && !"#*,/?[]{}".utf8.contains(byte) }

    /// The bytes of a datagram.
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
