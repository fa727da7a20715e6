import CCrypto
import SystemPackage

/// SHA-256 (FIPS 180-4).
public enum Digest {
    public static func of(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = SHA256(bytes, bytes.count, &digest)
        return digest
    }

    /// Says whether two digests are equal. The time depends on the length alone, so that it does not show how many bytes are right.
    public static func areEqual(_ a: [UInt8], _ b: [UInt8]) -> Bool { a.count == b.count && CRYPTO_memcmp(a, b, a.count) == 0 }

    /// Returns the bytes as hexadecimal digits in lower case.
    public static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}

/// The SHA-256 of whole files.
public enum FileDigest {
    /// Digests all bytes of `file`, without moving the descriptor's position. Waits as long as the file system takes. Throws `Errno`.
    public static func of(_ file: FileDescriptor) throws -> [UInt8] {
        let digest = RunningDigest()
        var block = [UInt8](repeating: 0, count: 1 << 16)
        var position: Int64 = 0
        while true {
            let count = try block.withUnsafeMutableBytes { try file.read(fromAbsoluteOffset: position, into: $0) }
            guard count > 0 else { return digest.value() }
            digest.add(block[..<count])
            position += Int64(count)
        }
    }

    /// Digests the file at `path`. Throws as `PlainFile` does.
    public static func of(_ path: FilePath) throws -> [UInt8] {
        try BlockingWork.wait {
            let file = try PlainFile.open(path)
            return try file.closeAfter { try of(file) }
        }
    }
}

/// The SHA-256 (FIPS 180-4) of bytes that come in parts, computed by OpenSSL. Thread: one at a time.
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

    /// Returns the digest of all bytes so far, followed by `more`. Later calls do not include `more`.
    public func value(with more: some Collection<UInt8> = []) -> [UInt8] {
        let rest = RunningDigest()
        EVP_MD_CTX_copy_ex(rest.context, context)
        rest.add(more)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        EVP_DigestFinal_ex(rest.context, &digest, nil)
        return digest
    }
}

/// A hash of a short text, such as a password, that takes long to compute, so that nobody who knows the hash can find the text by trial:
/// PBKDF2 with HMAC-SHA-512 (RFC 8018). Computing it takes about 100 ms. Thread: any that may be blocked for that long.
public struct SlowHash: Equatable, Sendable {
    /// The usual number of rounds: what OWASP's Password Storage Cheat Sheet recommends for HMAC-SHA-512.
    static let usualRounds = 210_000
    /// The number of bytes in the salt. The hash has twice as many.
    static let saltLength = 16
    private static let scheme = "pbkdf2-sha512"

    private let rounds: Int
    private let salt: [UInt8]
    private let bytes: [UInt8]

    init(of text: String, salt: [UInt8], rounds: Int) {
        self.rounds = rounds
        self.salt = salt
        bytes = Self.derive(text, salt, rounds)
    }

    /// Computes the hash of `text`, with a new random salt.
    public init(of text: String, using random: inout some RandomNumberGenerator) {
        self.init(of: text, salt: (0..<Self.saltLength).map { _ in UInt8.random(in: .min ... .max, using: &random) },
                  rounds: Self.usualRounds)
    }

    /// Says whether this is the hash of `text`. The time is the same for any text.
    public func isOf(_ text: String) -> Bool { Digest.areEqual(Self.derive(text, salt, rounds), bytes) }

    private static func derive(_ text: String, _ salt: [UInt8], _ rounds: Int) -> [UInt8] {
        let text = Array(text.utf8).map(CChar.init(bitPattern:))
        var bytes = [UInt8](repeating: 0, count: 2 * saltLength)
        guard PKCS5_PBKDF2_HMAC(text, Int32(text.count), salt, Int32(salt.count), Int32(rounds), EVP_sha512(), Int32(bytes.count),
                                &bytes) == 1 else { preconditionFailure("OpenSSL has SHA-512") }
        return bytes
    }

    /// A hash of which nobody knows a text, so that it matches no secret that anybody says.
    public static let ofNothing = SlowHash(rounds: 1, salt: [UInt8](repeating: 0, count: saltLength),
                                           bytes: [UInt8](repeating: 0, count: 2 * saltLength))

    private init(rounds: Int, salt: [UInt8], bytes: [UInt8]) { (self.rounds, self.salt, self.bytes) = (rounds, salt, bytes) }

    // MARK: As text

    /// The hash as text: `pbkdf2-sha512:ROUNDS:SALT:HASH`, with SALT and HASH in hexadecimal digits.
    public var text: String { "\(Self.scheme):\(rounds):\(Digest.hexadecimal(salt)):\(Digest.hexadecimal(bytes))" }

    /// Reads a hash in the form that `text` has. Returns nil for text of another form.
    public init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == Self.scheme, let rounds = Int32(parts[1]), rounds > 0,
              let salt = Self.bytes(parts[2], count: Self.saltLength), let bytes = Self.bytes(parts[3], count: 2 * Self.saltLength)
        else { return nil }
        (self.rounds, self.salt, self.bytes) = (Int(rounds), salt, bytes)
    }

    private static func bytes(_ digits: Substring, count: Int) -> [UInt8]? {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == digits.utf8.count, values.count == 2 * count else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
