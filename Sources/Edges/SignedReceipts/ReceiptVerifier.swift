import CCrypto
import Experience
import Fields
import JSON

/// Verifies signed receipts: JWS by ES256 with the fields of StoreKit 2's transactions. Thread: any; it takes about a millisecond.
public struct ReceiptVerifier: Sendable {
    /// The signer whose receipts count.
    public enum Trust: Sendable, Equatable {
        /// The certificate at the end of the receipt's own chain (x5c), in DER.
        case root([UInt8])
        /// A public key of P-256, in PEM.
        case key([UInt8])
    }

    /// A receipt's chain has a leaf, one authority over it, and the root.
    static let chainLength = 3
    /// The extensions by which Apple marks the certificate that signs the App Store's receipts (`leafMark`), and the authority over it. The
    /// root has many others under it.
    static let leafMark = "1.2.840.113635.100.6.11.1"
    static let authorityMark = "1.2.840.113635.100.6.2.1"
    /// The milliseconds by which a purchase may be ahead of this machine's clock.
    static let clockError = 86_400_000

    private let trust: Trust
    private let bundleId: String
    private let environment: PurchaseEnvironment

    public init(_ trust: Trust, bundleId: String, environment: PurchaseEnvironment = .production) {
        self.trust = trust
        self.bundleId = bundleId
        self.environment = environment
    }

    /// Verifies a receipt, and returns its purchase. `now` is in seconds since 1970-01-01 in UTC. Throws the reason why it does not count.
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
            // As a value first, so that a field that is there twice is refused.
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
    /// The certificate in `bytes`, PEM or DER; nil where there is none.
    public static func root(in bytes: [UInt8]) -> Self? { (Certificate(pem: bytes) ?? Certificate(der: bytes)).map { .root($0.der) } }

    /// The public key in `bytes`, PEM; nil where there is none of P-256.
    public static func key(in bytes: [UInt8]) -> Self? { PublicKey(pem: bytes)?.isP256 == true ? .key(bytes) : nil }
}

/// The reason why a receipt does not count.
public struct ReceiptRefusal: Error, Equatable, Sendable {
    public enum Reason: String, CaseIterable, Sendable {
        /// The text is no JWS in compact serialization, or longer than one can be.
        case length, segments, base64, header, criticalHeader, payload
        /// The receipt is signed by another algorithm than ES256.
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
