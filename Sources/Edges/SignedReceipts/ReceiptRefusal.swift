import Fields

/// Why a receipt does not count.
public struct ReceiptRefusal: Error, Equatable, Sendable {
    public enum Reason: String, CaseIterable, Sendable {
        /// It is no JWS in compact serialization, or longer than one can be.
        case length, segments, base64, header, criticalHeader, payload
        /// It is signed by another algorithm than ES256.
        case algorithm
        /// Its certificates.
        case chainMissing, chainLength, certificate, untrusted, expired, notYetValid, keyUsage, purpose, keyType
        case signature
        /// What it says.
        case fields, bundle, environment, future
    }

    public let reason: Reason
    public let expected: String
    public let found: String?

    init(_ reason: Reason, _ expected: String, found: String? = nil) {
        self.reason = reason
        self.expected = expected
        self.found = found
    }

    public var fault: Fault { Fault(field: "receipt", expected: expected, found: found) }
}
