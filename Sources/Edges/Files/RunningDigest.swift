import CCrypto

/// SHA-256 (FIPS 180-4) of bytes that come in parts, by OpenSSL. Used by one thread at a time.
public final class RunningDigest {
    private let context = EVP_MD_CTX_new()

    public init() { EVP_DigestInit_ex(context, EVP_sha256(), nil) }

    deinit { EVP_MD_CTX_free(context) }

    public func add(_ bytes: some Collection<UInt8>) {
        if bytes.withContiguousStorageIfAvailable({ EVP_DigestUpdate(context, $0.baseAddress, $0.count) }) == nil {
            let copy = Array(bytes)
            EVP_DigestUpdate(context, copy, copy.count)
        }
    }

    /// Returns the digest of all bytes so far and of `more`, which are not taken in.
    public func value(with more: some Collection<UInt8> = []) -> [UInt8] {
        let rest = RunningDigest()
        EVP_MD_CTX_copy_ex(rest.context, context)
        rest.add(more)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        EVP_DigestFinal_ex(rest.context, &digest, nil)
        return digest
    }
}
