import CMosquitto
import Glibc
import SystemPackage

/// The reason why a broker cannot be reached, or a connection has ended.
public struct BrokerProblem: Error, Equatable, Sendable, CustomStringConvertible {
    public let description: String

    /// The broker takes no packet of this size. The connection goes on.
    public static let oversize = BrokerProblem(Int32(MOSQ_ERR_OVERSIZE_PACKET.rawValue))

    /// Describes a return value of libmosquitto. `number` must be errno from right after the call.
    init(_ code: Int32, number: Int32 = errno) {
        let isSystem = code == Int32(MOSQ_ERR_ERRNO.rawValue)
        let text = mosquitto_strerror(code).map { String(cString: $0) } ?? "error \(code)"
        description = isSystem ? Errno(rawValue: number).description : text
    }

    init(refusal: Int32) {
        description = "the broker refuses: " + (mosquitto_reason_string(refusal).map { String(cString: $0) } ?? "reason \(refusal)")
    }
}

/// One connection to a broker by MQTT 5. A connection that has ended cannot be used again. The owner makes a new one, which has a will of
/// its own and empty queues, and sends unacknowledged messages again.
///
/// Thread: one at a time. The owner must call `turn` again and again, because only `turn` sends and receives.
public final class BrokerConnection {
    /// A message that the broker publishes and retains when the connection ends in another way than by a call of `end`.
    public struct Will: Sendable {
        public let topic: String
        public let payload: [UInt8]

        public init(topic: String, payload: [UInt8]) { (self.topic, self.payload) = (topic, payload) }
    }

    public enum Event: Sendable {
        /// The broker has accepted the connection. From now on messages can be published and topics subscribed to.
        case accepted
        /// The broker has received the message with this number.
        case acknowledged(message: Int32)
        /// A message has come. `isOld` says that the broker had kept it, and sent it because of the subscription.
        case message(topic: String, payload: [UInt8], isOld: Bool)
    }

    /// The messages and answers that libmosquitto's callbacks have received, for `turn`. The callbacks run inside `turn`, on its thread.
    private final class Inbox {
        var events: [Event] = []
        var refusal: Int32 = 0
    }

    private let client: OpaquePointer
    private let inbox = Inbox()

    /// Initializes libmosquitto, once and before any other call.
    private static let library: Void = { _ = mosquitto_lib_init() }()

    /// Connects, and waits for the network as long as the system does. `name` is the client identifier: the broker ends an older connection
    /// with the same identifier; with nil, the broker makes one up. The broker does not deliver messages of more than `largestPacket`
    /// bytes. The connection counts as ended after silence of one and a half times `keepAlive` seconds. Throws `BrokerProblem`.
    public init(to address: BrokerAddress, as name: String?, will: Will? = nil, largestPacket: UInt32? = nil, keepAlive: Int = 10)
        throws(BrokerProblem) {
        _ = Self.library
        guard let client = mosquitto_new(name, true, Unmanaged.passUnretained(inbox).toOpaque()) else {
            throw BrokerProblem(Int32(MOSQ_ERR_ERRNO.rawValue))
        }
        self.client = client
        try check(mosquitto_int_option(client, MOSQ_OPT_PROTOCOL_VERSION, Int32(MQTT_PROTOCOL_V5)))
        mosquitto_connect_v5_callback_set(client) { _, context, code, _, _ in
            guard let inbox = BrokerConnection.inbox(context) else { return }
            if code == 0 { inbox.events.append(.accepted) } else { inbox.refusal = code }
        }
        mosquitto_message_v5_callback_set(client) { _, context, message, _ in
            guard let inbox = BrokerConnection.inbox(context), let message = message?.pointee, let topic = message.topic else { return }
            let payload = message.payload.map { [UInt8](UnsafeRawBufferPointer(start: $0, count: Int(message.payloadlen))) } ?? []
            inbox.events.append(.message(topic: String(cString: topic), payload: payload, isOld: message.retain))
        }
        mosquitto_publish_v5_callback_set(client) { _, context, message, _, _ in
            BrokerConnection.inbox(context)?.events.append(.acknowledged(message: message))
        }
        if let will {
            try check(mosquitto_will_set_v5(client, will.topic, Int32(will.payload.count), will.payload, 1, true, nil))
        }
        if let security = address.security { try secure(security) }
        var properties: OpaquePointer?
        defer { mosquitto_property_free_all(&properties) }
        if let largestPacket {
            try check(mosquitto_property_add_int32(&properties, Int32(MQTT_PROP_MAXIMUM_PACKET_SIZE.rawValue), largestPacket))
        }
        try check(mosquitto_connect_bind_v5(client, address.host, Int32(address.port), Int32(keepAlive), nil, properties))
    }

    deinit { mosquitto_destroy(client) }

    private static func inbox(_ context: UnsafeMutableRawPointer?) -> Inbox? {
        context.map { Unmanaged<Inbox>.fromOpaque($0).takeUnretainedValue() }
    }

    private func check(_ code: Int32) throws(BrokerProblem) {
        guard code == Int32(MOSQ_ERR_SUCCESS.rawValue) else { throw BrokerProblem(code) }
    }

    private func secure(_ security: BrokerAddress.Security) throws(BrokerProblem) {
        let (authorities, identity) = (security.authorities?.string, security.identity)
        // The broker's certificate is always verified, and so is that its name is the host's.
        try check(mosquitto_tls_set(client, authorities, authorities == nil ? "/etc/ssl/certs" : nil, identity?.certificate.string,
                                    identity?.key.string, nil))
    }

    /// Sends and receives for up to `milliseconds`, and returns as soon as something has arrived. Throws `BrokerProblem` where the
    /// connection has ended.
    public func turn(_ milliseconds: Int) throws(BrokerProblem) -> [Event] {
        let code = mosquitto_loop(client, Int32(milliseconds), 1)
        let number = errno
        let events = inbox.events
        inbox.events.removeAll()
        guard inbox.refusal == 0 else { throw BrokerProblem(refusal: inbox.refusal) }
        // What came last before an end is still told.
        guard code == Int32(MOSQ_ERR_SUCCESS.rawValue) || !events.isEmpty else { throw BrokerProblem(code, number: number) }
        return events
    }

    /// Subscribes at QoS 1. Throws `BrokerProblem` where the connection has ended.
    public func subscribe(_ topic: String) throws(BrokerProblem) { try check(mosquitto_subscribe_v5(client, nil, topic, 1, 0, nil)) }

    /// Publishes at QoS 1, and returns the number with which the broker will acknowledge the message. The acknowledgement does not mean
    /// that a subscriber has the message. Throws `BrokerProblem` where the connection has ended, or `BrokerProblem.oversize`.
    @discardableResult
    public func publish(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) throws(BrokerProblem) -> Int32 {
        var message: Int32 = 0
        try check(mosquitto_publish_v5(client, &message, topic, Int32(payload.count), payload, 1, isRetained, nil))
        return message
    }

    /// Disconnects in order, so that the broker publishes no will. Sends messages that were published before, for up to a second.
    public func end() {
        for _ in 0..<100 where mosquitto_want_write(client) { _ = mosquitto_loop(client, 10, 1) }
        mosquitto_disconnect_v5(client, 0, nil)
        _ = mosquitto_loop(client, 10, 1)
    }
}
