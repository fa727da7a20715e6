import CCrypto
import Files
import Glibc
import Journal
import SystemPackage

/// The Ed25519 key with which this box signs its journals. It is made once, and is kept in a file that only its owner may read.
public struct JournalKey: Sendable {
    /// The name of the file in the state directory with the key of `thrumd`.
    public static let fileName = "journal-key.pem"

    /// The reason why there is no key.
    public struct Unusable: Error, CustomStringConvertible {
        public let description: String
    }

    public let publicKey: JournalPublicKey
    private let secret: [UInt8]

    /// Reads the key in the file `name` of `directory`, or makes a new one and stores it on the disk. Makes the directory if it is missing.
    /// Two processes that make a key at the same time get the same one. A file that contains no key is left unchanged. Throws `Unusable`,
    /// `Errno` and `Fault`.
    public init(in directory: FilePath, named name: String = fileName) throws {
        let path = directory.appending(name)
        var info = stat()
        if path.withPlatformString({ stat($0, &info) }) != 0 {
            guard errno == ENOENT else { throw Errno(rawValue: errno) }
            try directory.makeDirectories()
            try Self.make(path)
        }
        self = try Self.read(path)
    }

    /// Reads the key in the file at `path`. Throws `Unusable`, `Errno` and `Fault`.
    static func read(_ path: FilePath) throws -> JournalKey {
        let text = try PlainFile.bytes(of: path, atMost: 4096)
        guard let key = Self.key(pem: text) else {
            throw Unusable(description: "\(path): expected a private key of Ed25519 in PEM, found something else")
        }
        return key
    }

    private init?(_ key: OpaquePointer) {
        var secret = [UInt8](repeating: 0, count: JournalPublicKey.length)
        var open = secret
        var (secretCount, openCount) = (secret.count, open.count)
        guard EVP_PKEY_get_id(key) == EVP_PKEY_ED25519, EVP_PKEY_get_raw_private_key(key, &secret, &secretCount) == 1,
              EVP_PKEY_get_raw_public_key(key, &open, &openCount) == 1, let publicKey = JournalPublicKey(open) else { return nil }
        self.secret = secret
        self.publicKey = publicKey
    }

    private static func key(pem: [UInt8]) -> JournalKey? {
        pem.withUnsafeBytes { pem in
            let bio = BIO_new_mem_buf(pem.baseAddress, Int32(pem.count))
            defer { BIO_free(bio) }
            // Without a pass phrase OpenSSL would ask for one on the terminal. An empty one opens no file.
            var passPhrase: [CChar] = [0]
            let key = PEM_read_bio_PrivateKey(bio, nil, nil, &passPhrase)
            defer {
                EVP_PKEY_free(key)
                ERR_clear_error()
            }
            return key.flatMap { JournalKey($0) }
        }
    }

    /// Makes a key and its file. The file gets its name when it is complete, and never replaces another file.
    private static func make(_ path: FilePath) throws {
        let context = EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil)
        var key: OpaquePointer?
        if EVP_PKEY_keygen_init(context) == 1 { EVP_PKEY_keygen(context, &key) }
        let bio = BIO_new(BIO_s_mem())
        defer {
            BIO_free(bio)
            EVP_PKEY_free(key)
            EVP_PKEY_CTX_free(context)
            ERR_clear_error()
        }
        guard key != nil, PEM_write_bio_PrivateKey(bio, key, nil, nil, 0, nil, nil) == 1 else {
            throw Unusable(description: "OpenSSL makes no key of Ed25519")
        }
        var text = [UInt8](repeating: 0, count: 1024)
        let count = BIO_read(bio, &text, Int32(text.count))
        guard count > 0 else { throw Unusable(description: "OpenSSL writes no key of Ed25519") }
        let draft = path.removingLastComponent().appending("\(path.lastComponent?.string ?? fileName).\(getpid())")
        let file = try FileDescriptor.open(draft, .writeOnly, options: [.create, .truncate, .closeOnExec], permissions: [.ownerReadWrite])
        defer { draft.withPlatformString { _ = unlink($0) } }
        try file.closeAfter {
            try file.writeAll(text.prefix(Int(count)))
            guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
        // Another daemon may have been quicker; then its key counts.
        let isLinked = draft.withPlatformString { draft in path.withPlatformString { link(draft, $0) } } == 0
        guard isLinked || errno == EEXIST else { throw Errno(rawValue: errno) }
        let directory = try FileDescriptor.open(path.removingLastComponent(), .readOnly, options: [.closeOnExec])
        try directory.closeAfter { _ = fsync(directory.rawValue) }
    }

    /// Returns the signature of `message`, 64 bytes; nil if OpenSSL fails.
    public func signature(of message: [UInt8]) -> [UInt8]? {
        let key = EVP_PKEY_new_raw_private_key(EVP_PKEY_ED25519, nil, secret, secret.count)
        let context = EVP_MD_CTX_new()
        defer {
            EVP_MD_CTX_free(context)
            EVP_PKEY_free(key)
            ERR_clear_error()
        }
        var signature = [UInt8](repeating: 0, count: 64)
        var count = signature.count
        guard EVP_DigestSignInit(context, nil, nil, nil, key) == 1,
              EVP_DigestSign(context, &signature, &count, message, message.count) == 1, count == signature.count else { return nil }
        return signature
    }
}

/// The Ed25519 public key (RFC 8032) of a box that signs journals.
public struct JournalPublicKey: Equatable, Sendable {
    public static let length = 32
    /// The bytes that precede such a key in DER (RFC 8410, section 4).
    private static let header: [UInt8] = [0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]

    /// The 32 bytes of the key.
    public let bytes: [UInt8]

    /// Makes a key of 32 bytes. Returns nil for another number of bytes.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    /// Reads a key as headers contain it, in 64 hexadecimal digits. Returns nil for text of another form.
    public init?(hexadecimal: String) {
        guard let bytes = Hexadecimal.bytes(hexadecimal.utf8) else { return nil }
        self.init(bytes)
    }

    /// Reads the first key in `pem`; nil where that is no Ed25519 key.
    public init?(pem: [UInt8]) {
        // OpenSSL reads the bytes where they are, until the key is read.
        let key = pem.withUnsafeBytes { pem in
            let bio = BIO_new_mem_buf(pem.baseAddress, Int32(pem.count))
            defer { BIO_free(bio) }
            return PEM_read_bio_PUBKEY(bio, nil, nil, nil)
        }
        defer {
            EVP_PKEY_free(key)
            ERR_clear_error()
        }
        var bytes = [UInt8](repeating: 0, count: Self.length)
        var count = bytes.count
        guard let key, EVP_PKEY_get_id(key) == EVP_PKEY_ED25519, EVP_PKEY_get_raw_public_key(key, &bytes, &count) == 1 else { return nil }
        self.init(bytes)
    }

    /// The SHA-256 of the key in DER, in 64 hexadecimal digits, as `openssl pkey -pubin -outform DER | sha256sum` prints it.
    public var fingerprint: String {
        let digest = RunningDigest()
        digest.add(Self.header + bytes)
        return Hexadecimal.text(digest.value())
    }

    /// The key in PEM, with a newline at the end.
    public var pem: String {
        let der = Self.header + bytes
        var text = [UInt8](repeating: 0, count: 4 * der.count)
        let count = EVP_EncodeBlock(&text, der, Int32(der.count))
        return "-----BEGIN PUBLIC KEY-----\n" + String(decoding: text.prefix(Int(count)), as: UTF8.self) + "\n-----END PUBLIC KEY-----\n"
    }

    /// Says whether `signature` was made with this key over `message`.
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

/// Watches whether the key that signs journals is still in its file. If the file is gone, the next start makes another key, and its
/// journals look like another box's.
public struct JournalKeyWatch: Sendable {
    /// The identity of the key's file, and the time of its last change.
    private struct FileStamp: Equatable {
        var device: UInt64
        var inode: UInt64
        var seconds: Int
        var nanoseconds: Int

        /// Reads the identity and the last change of the file at `path`; nil where there is no file.
        init?(_ path: FilePath) {
            guard let info = path.information else { return nil }
            (device, inode) = (UInt64(info.st_dev), UInt64(info.st_ino))
            (seconds, nanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
        }
    }

    private let path: FilePath
    private let key: JournalPublicKey
    private var seen: FileStamp?
    /// The issue that the key is lost or was changed, in words; nil while the key is unchanged.
    public private(set) var issue: String?

    /// Watches `key`, which was read from its file in `directory`.
    public init(_ key: JournalKey, in directory: FilePath) {
        path = directory.appending(JournalKey.fileName)
        self.key = key.publicKey
        seen = FileStamp(path)
    }

    /// Checks the file; must be called again and again. Reads the file only if it was replaced or changed since the last call.
    public mutating func look() {
        let now = FileStamp(path)
        guard now != seen else { return }
        seen = now
        let change: String? = if now == nil {
            "removed"
        } else if let found = try? JournalKey.read(path) {
            found.publicKey == key ? nil : "replaced by another key"
        } else {
            "replaced by what is no key"
        }
        issue = change.map {
            "\(path) was \($0) while thrumd runs: journals are still signed by the key that was there, which is lost at the next start "
                + "unless it is put back"
        }
    }
}
