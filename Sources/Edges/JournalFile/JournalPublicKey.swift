import CCrypto
import Files
import Journal

/// The public key of a box that signs journals, by Ed25519 (RFC 8032).
public struct JournalPublicKey: Equatable, Sendable {
    public static let length = 32
    /// What stands before such a key in DER (RFC 8410, section 4).
    private static let header: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]

    /// The 32 bytes of the key.
    public let bytes: [UInt8]

    /// Nil for another number of bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// The key as a header has it; nil for what is none.
    public init?(hexadecimal: String) {
        guard let bytes = Hexadecimal.bytes(hexadecimal.utf8) else { return nil }
        self.init(bytes)
    }

    /// The first key in `pem`; nil where there is none of Ed25519.
    public init?(pem: [UInt8]) {
        let bio = BIO_new_mem_buf(pem, Int32(pem.count))
        defer { BIO_free(bio) }
        let key = PEM_read_bio_PUBKEY(bio, nil, nil, nil)
        defer {
            EVP_PKEY_free(key)
            ERR_clear_error()
        }
        var bytes = [UInt8](repeating: 0, count: Self.length)
        var count = bytes.count
        guard let key, EVP_PKEY_get_id(key) == EVP_PKEY_ED25519, EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 else { return nil }
        self.init(bytes)
    }

    /// SHA-256 of the key in DER, in 64 hexadecimal digits: what `openssl pkey -pubin -outform DER | sha256sum` says of it.
    public var fingerprint: String {
        let digest = RunningDigest()
        digest.add(Self.header + bytes)
        return Hexadecimal.text(digest.value())
    }

    /// The key for other programs, with a newline at the end.
    public var pem: String {
        let der = Self.header + bytes
        var text = [UInt8](repeating: 0, count: 4 * der.count)
        let count = EVP_EncodeBlock(&text, der, Int32(der.count))
        return "-----BEGIN PUBLIC KEY-----\n" + String(decoding: text.prefix(Int(count)), as: UTF8.self) + "\n-----END PUBLIC KEY-----\n"
    }

    /// Whether `signature` is this key's, of `message`.
    public func verifies(_ signature: [UInt8], of message: [UInt8]) -> Bool {
        let key = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nil, bytes, bytes.count)
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
            ERR_clear_error()
        }
        return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
            && EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    }
}
