import CCrypto

/// SHA-256 (FIPS 180-4).
public enum Digest {
    public static func of(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = SHA256(bytes, bytes.count, &digest)
        return digest
    }

    /// Whether they are the same. It takes as long for any two of one length, so that nobody learns from the time how far they are.
    static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0 }

    /// In lower case.
    public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

/// The same of bytes that come in pieces.
struct RunningDigest: ~Copyable {
    private let context = EVP_MD_CTX_new()

    init() { EVP_DigestInit_ex(context, EVP_sha256(), nil) }

    deinit { EVP_MD_CTX_free(context) }

    mutating func add(_ bytes: UnsafeRawBufferPointer) { EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) }

    consuming func finish() -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        EVP_DigestFinal_ex(context, &digest, nil)
        return digest
    }
}
