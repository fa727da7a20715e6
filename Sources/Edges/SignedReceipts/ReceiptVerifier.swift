import CCrypto
import Experience
import Fields
import JSON

/// Verifies signed receipts: JWS with ES256, with the fields of StoreKit 2's transactions. Thread: any. A call takes about a millisecond.
public struct ReceiptVerifier: Sendable {
    /// Whose receipts are accepted.
    public enum Trust: Sendable, Equatable {
        /// Receipts whose certificate chain (x5c) ends in this root certificate, in DER.
        case root([UInt8])
        /// Receipts that are signed with this public key of P-256, in PEM.
        case key([UInt8])
    }

    /// The number of certificates in a receipt's chain: the leaf, one intermediate authority, and the root.
    static let chainLength = 3
    /// The extension with which Apple marks the certificate that signs the App Store's receipts. `authorityMark` is that of the authority
    /// above it. Without these marks, other certificates below Apple's root would be accepted.
    static let leafMark = "1.2.840.113635.100.6.11.1"
    static let authorityMark = "1.2.840.113635.100.6.2.1"
    /// The milliseconds by which a purchase may be later than this machine's clock.
    static let clockError = 86_400_000

    private let trust: Trust
    private let bundleId: String
    private let environment: PurchaseEnvironment

    public init(_ trust: Trust, bundleId: String, environment: PurchaseEnvironment = .production) {
        self.trust = trust
        self.bundleId = bundleId
        self.environment = environment
    }

    /// Verifies a receipt, and returns its purchase. `now` is in seconds since 1970-01-01 in UTC. Throws why the receipt is not accepted.
    public func verify(_ text: String, at now: Int) throws(ReceiptRefusal) -> Purchase {
        let receipt = try SignedReceipt(text)
        guard let key = try key(for: receipt, at: now), key.isP256 else { throw ReceiptRefusal(.keyType, "a key of the curve P-256") }
        guard key.verifies(receipt.signature, of: receipt.signed) else { throw ReceiptRefusal(.signature, "its signer's signature") }
        return try read(receipt.payload, at: now)
    }

    private func key(for receipt: SignedReceipt, at now: Int) throws(ReceiptRefusal) -> PublicKey? {
        switch trust {
        case .key(let pem): return PublicKey(pem: pem)
        case .root(let der):
            guard let chain = receipt.chain else { throw ReceiptRefusal(.chainMissing, "a header with x5c") }
            guard chain.count == Self.chainLength else {
                throw ReceiptRefusal(.chainLength, "\(Self.chainLength) certificates in x5c", found: "\(chain.count)")
            }
            return try leaf(of: chain, under: der, at: now).key
        }
    }

    private func leaf(of chain: [[UInt8]], under der: [UInt8], at now: Int) throws(ReceiptRefusal) -> Certificate {
        guard chain[2] == der else { throw ReceiptRefusal(.untrusted, "a chain to the root of the setting receipt-root") }
        guard let leaf = Certificate(der: chain[0]), let authority = Certificate(der: chain[1]), let root = Certificate(der: der) else {
            throw ReceiptRefusal(.certificate, "certificates in DER")
        }
        if let error = leaf.error(over: authority, to: root, at: now) { throw Self.refusal(error) }
        guard !leaf.isAuthority, leaf.signsData else {
            throw ReceiptRefusal(.keyUsage, "a leaf whose key is for signatures of data, and not of certificates")
        }
        guard leaf.hasExtension(Self.leafMark), authority.hasExtension(Self.authorityMark) else {
            throw ReceiptRefusal(.purpose, "certificates for receipts, with the extensions \(Self.leafMark) and \(Self.authorityMark)")
        }
        return leaf
    }

    private static func refusal(_ error: Int32) -> ReceiptRefusal {
        let found = X509_verify_cert_error_string(Int(error)).map { String(cString: $0) }
        return switch error {
        case X509_V_ERR_CERT_HAS_EXPIRED: ReceiptRefusal(.expired, "certificates that have not expired", found: found)
        case X509_V_ERR_CERT_NOT_YET_VALID: ReceiptRefusal(.notYetValid, "certificates that are valid already", found: found)
        case X509_V_ERR_INVALID_CA, X509_V_ERR_KEYUSAGE_NO_CERTSIGN, X509_V_ERR_INVALID_PURPOSE:
            ReceiptRefusal(.keyUsage, "an authority that may sign certificates", found: found)
        default: ReceiptRefusal(.untrusted, "a chain to the root of the setting receipt-root", found: found)
        }
    }

    private func read(_ payload: [UInt8], at now: Int) throws(ReceiptRefusal) -> Purchase {
        let purchase: Purchase
        do {
            // The payload is parsed as a JSON value first, because that refuses a field that occurs twice.
            purchase = try JSONValue(parsing: payload, within: SignedReceipt.limits).read { try Purchase($0) }
        } catch let fault as Fault {
            throw ReceiptRefusal(.fields, fault.field.isEmpty ? fault.expected : "\(fault.field) as \(fault.expected)", found: fault.found)
        } catch {
            throw ReceiptRefusal(.payload, "a payload of JSON")
        }
        guard purchase.bundleId == bundleId else {
            throw ReceiptRefusal(.bundle, "bundleId as \(bundleId)", found: "\"\(purchase.bundleId)\"")
        }
        guard purchase.environment == environment else {
            throw ReceiptRefusal(.environment, "environment as \(environment.rawValue)", found: purchase.environment.rawValue)
        }
        let latest = now * 1_000 + Self.clockError
        guard purchase.purchaseDate <= latest, purchase.revocationDate ?? 0 <= latest else {
            throw ReceiptRefusal(.future, "dates that have been")
        }
        return purchase
    }
}

extension ReceiptVerifier.Trust {
    /// Reads a root certificate from `bytes`, in PEM or DER; nil where there is none.
    public static func root(in bytes: [UInt8]) -> Self? { (Certificate(pem: bytes) ?? Certificate(der: bytes)).map { .root($0.der) } }

    /// Reads a public key from `bytes`, in PEM; nil where there is none of P-256.
    public static func key(in bytes: [UInt8]) -> Self? { PublicKey(pem: bytes)?.isP256 == true ? .key(bytes) : nil }
}

/// The reason why a receipt is not accepted.
public struct ReceiptRefusal: Error, Equatable, Sendable {
    public enum Reason: String, CaseIterable, Sendable {
        /// The text is no JWS in compact serialization, or is too long.
        case length, segments, base64, header, criticalHeader, payload
        /// The receipt is signed with another algorithm than ES256.
        case algorithm
        /// The certificates are missing or wrong.
        case chainMissing, chainLength, certificate, untrusted, expired, notYetValid, keyUsage, purpose, keyType
        case signature
        /// The content of the payload is wrong.
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
