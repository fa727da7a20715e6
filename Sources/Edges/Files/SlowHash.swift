import CCrypto

/// A hash of a short text that takes long to compute, so that whoever reads it does not find the text by trying: PBKDF2 with HMAC-SHA-512
/// (RFC 8018). Computing one takes some 100 ms: thread, any that may take its time.
public struct SlowHash: Equatable, Sendable {
    /// As OWASP's Password Storage Cheat Sheet has it for HMAC-SHA-512.
    static let usualRounds = 210_000
    /// Bytes of the salt. The hash has twice as many.
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

    /// Of `text`, with a salt of its own.
    public init(of text: String, using random: inout some RandomNumberGenerator) {
        self.init(of: text, salt: (0..<Self.saltLength).map { _ in UInt8.random(in: .min ... .max, using: &random) },
                  rounds: Self.usualRounds)
    }

    /// Whether it is that text's. It takes as long for any text.
    public func isOf(_ text: String) -> Bool { CRYPTO_memcmp(Self.derive(text, salt, rounds), bytes, bytes.count) == 0 }

    private static func derive(_ text: String, _ salt: [UInt8], _ rounds: Int) -> [UInt8] {
        let text = Array(text.utf8).map(CChar.init(bitPattern:))
        var bytes = [UInt8](repeating: 0, count: 2 * saltLength)
        guard PKCS5_PBKDF2_HMAC(text, Int32(text.count), salt, Int32(salt.count), Int32(rounds), EVP_sha512(), Int32(bytes.count),
                                &bytes) == 1 else { preconditionFailure("OpenSSL has SHA-512") }
        return bytes
    }

    /// No text has it, as far as anybody knows.
    public static let ofNothing = SlowHash(rounds: 1, salt: [UInt8](repeating: 0, count: saltLength),
                                           bytes: [UInt8](repeating: 0, count: 2 * saltLength))

    private init(rounds: Int, salt: [UInt8], bytes: [UInt8]) { (self.rounds, self.salt, self.bytes) = (rounds, salt, bytes) }

    // MARK: As text

    /// `pbkdf2-sha512:ROUNDS:SALT:HASH`, the last two in hexadecimal digits.
    public var text: String { "\(Self.scheme):\(rounds):\(Self.digits(salt)):\(Self.digits(bytes))" }

    /// Nil for a text that is none of a hash.
    public init?(text: String) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0] == Self.scheme, let rounds = Int32(parts[1]), rounds > 0,
              let salt = Self.bytes(parts[2], count: Self.saltLength), let bytes = Self.bytes(parts[3], count: 2 * Self.saltLength)
        else { return nil }
        (self.rounds, self.salt, self.bytes) = (Int(rounds), salt, bytes)
    }

    private static func digits(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef")
        return String(bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }

    private static func bytes(_ digits: Substring, count: Int) -> [UInt8]? {
        let values = digits.compactMap(\.hexDigitValue)
        guard values.count == digits.utf8.count, values.count == 2 * count else { return nil }
        return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }
}
