import Fields
import FoundationEssentials
import JSON

/// A JSON Web Signature in compact serialization (RFC 7515), split into its parts but not verified.
struct SignedReceipt {
    /// The largest number of bytes in the text. Apple's receipts have about 6,000.
    static let longest = 32_768
    /// The limits of header and payload. Apple's contain objects in lists in an object.
    static let limits = JSONLimits(depth: 8)
    /// The number of bytes in a signature by ES256 (RFC 7518, section 3.4): 32 each for r and s.
    static let signatureLength = 64

    /// The certificates in DER, the leaf first; nil where the header has none.
    let chain: [[UInt8]]?
    let payload: [UInt8]
    let signature: [UInt8]
    /// The bytes that were signed: header and payload as they are written in the text.
    let signed: [UInt8]

    init(_ text: String) throws(ReceiptRefusal) {
        guard text.utf8.count <= Self.longest else {
            throw ReceiptRefusal(.length, "at most \(Self.longest) bytes", found: "\(text.utf8.count)")
        }
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).map { Array($0) }
        guard parts.count == 3 else { throw ReceiptRefusal(.segments, "three parts with dots between them", found: "\(parts.count)") }
        let header = try Self.decode(parts[0], "header")
        payload = try Self.decode(parts[1], "payload")
        signature = try Self.decode(parts[2], "signature")
        signed = parts[0] + [UInt8(ascii: ".")] + parts[1]
        chain = try Self.read(header)
        guard signature.count == Self.signatureLength else {
            throw ReceiptRefusal(.signature, "a signature of \(Self.signatureLength) bytes", found: "\(signature.count)")
        }
    }

    private static func read(_ header: [UInt8]) throws(ReceiptRefusal) -> [[UInt8]]? {
        let object: [String: JSONValue]
        do {
            guard case .object(let members) = try JSONValue(parsing: header, within: limits) else {
                throw ReceiptRefusal(.header, "a header that is an object")
            }
            object = members
        } catch let refusal as ReceiptRefusal {
            throw refusal
        } catch {
            throw ReceiptRefusal(.header, "a header of JSON")
        }
        guard object["alg"] == .text("ES256") else {
            let found: String? = if case .text(let name)? = object["alg"] { "\"\(name.prefix(32))\"" } else { nil }
            throw ReceiptRefusal(.algorithm, "the algorithm ES256", found: found)
        }
        // The header names an extension that must be understood, and none is (RFC 7515, section 4.1.11).
        guard object["crit"] == nil else { throw ReceiptRefusal(.criticalHeader, "a header without crit") }
        guard let x5c = object["x5c"] else { return nil }
        guard case .list(let list) = x5c else { throw ReceiptRefusal(.header, "x5c as a list of texts") }
        var chain: [[UInt8]] = []
        for element in list {
            // Certificates are in base64, not base64url: RFC 7515, section 4.1.6.
            guard case .text(let text) = element, let data = Data(base64Encoded: text), !data.isEmpty else {
                throw ReceiptRefusal(.certificate, "certificates in base64")
            }
            chain.append([UInt8](data))
        }
        return chain
    }

    /// Decodes base64url without padding (RFC 7515, section 2). Throws for anything else.
    private static func decode(_ part: [UInt8], _ name: String) throws(ReceiptRefusal) -> [UInt8] {
        func refusal() -> ReceiptRefusal { ReceiptRefusal(.base64, "the \(name) in base64url") }
        var text: [UInt8] = []
        text.reserveCapacity(part.count + 3)
        for byte in part {
            switch byte {
            case UInt8(ascii: "-"): text.append(UInt8(ascii: "+"))
            case UInt8(ascii: "_"): text.append(UInt8(ascii: "/"))
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                text.append(byte)
            default: throw refusal()
            }
        }
        text += [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
        guard !part.isEmpty, let data = Data(base64Encoded: Data(text)) else { throw refusal() }
        // Unused bits at the end must be zero, so that no two texts have the same meaning.
        let again = data.base64EncodedData()
        guard again.elementsEqual(text) else { throw refusal() }
        return [UInt8](data)
    }
}
