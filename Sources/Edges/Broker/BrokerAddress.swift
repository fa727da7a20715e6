import Fields
import SystemPackage

/// The address of an MQTT broker, and the certificates by which broker and client recognize each other.
public struct BrokerAddress: Equatable, Sendable {
    public let host: String
    public let port: Int
    /// The certificates; nil for a connection without TLS.
    public let security: Security?

    public struct Security: Equatable, Sendable {
        /// The file with the certificates of the authorities that may sign the broker's certificate, in PEM; nil for the authorities that
        /// the system trusts.
        public var authorities: FilePath?
        /// This side's certificate and its private key, in PEM; nil for a broker that asks for no certificate.
        public var identity: Identity?

        public init(authorities: FilePath? = nil, identity: Identity? = nil) {
            (self.authorities, self.identity) = (authorities, identity)
        }
    }

    public struct Identity: Equatable, Sendable {
        public var certificate: FilePath
        public var key: FilePath

        public init(certificate: FilePath, key: FilePath) { (self.certificate, self.key) = (certificate, key) }
    }

    private static let expected = "mqtt://HOST, or mqtts://HOST for TLS, with :PORT where it is not 1883 or 8883"

    /// Reads an address. `security` is allowed only for an address with TLS. Throws `Fault` with an empty field for a wrong address, or
    /// with the field `certificate` for certificates without TLS.
    public init(_ text: String, _ security: Security = Security()) throws(Fault) {
        let fault = Fault(field: "", expected: Self.expected, found: "\"\(text)\"")
        let isSecure = text.hasPrefix("mqtts://")
        guard isSecure || text.hasPrefix("mqtt://") else { throw fault }
        var rest = text.dropFirst(isSecure ? 8 : 7)
        if rest.hasSuffix("/") { rest.removeLast() }
        // An address of IPv6 is in brackets.
        let end: Substring.Index
        if rest.hasPrefix("[") {
            guard let bracket = rest.firstIndex(of: "]") else { throw fault }
            host = String(rest[rest.index(after: rest.startIndex)..<bracket])
            end = rest.index(after: bracket)
        } else {
            end = rest.firstIndex(of: ":") ?? rest.endIndex
            host = String(rest[..<end])
        }
        let tail = rest[end...]
        if tail.isEmpty {
            port = isSecure ? 8883 : 1883
        } else {
            guard tail.hasPrefix(":"), tail.utf8.count <= 6, let number = UInt16(tail.dropFirst()), number > 0 else { throw fault }
            port = Int(number)
        }
        guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "@") }) else {
            throw fault
        }
        guard isSecure || security == Security() else {
            throw Fault(field: "certificate", expected: "mqtts:// where there are certificates", found: "\"\(text)\"")
        }
        self.security = isSecure ? security : nil
    }
}
