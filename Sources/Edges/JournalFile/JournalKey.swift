import CCrypto
import Files
import Glibc
import SystemPackage

/// The key of Ed25519 by which this box signs its journals: made once, and kept in a file for its owner alone.
public struct JournalKey: Sendable {
    /// In the state directory.
    public static let fileName = "journal-key.pem"

    /// Why there is no key, in words.
    public struct Unusable: Error, CustomStringConvertible {
        public let description: String
    }

    public let publicKey: JournalPublicKey
    private let secret: [UInt8]

    /// The key that `directory` has, or a new one, which is on the disk then; the directory is made where it is missing. Two that make one
    /// at once get the same. A file that is no key is left alone. Throws `Unusable`, `Errno` and `Fault`.
    public init(in directory: FilePath) throws {
        let path = directory.appending(Self.fileName)
        var info = stat()
        if path.withPlatformString({ stat($0, &info) }) != 0 {
            guard errno == ENOENT else { throw Errno(rawValue: errno) }
            try directory.makeDirectories()
            try Self.make(path)
        }
        self = try Self.read(path)
    }

    /// The key in the file at `path`. Throws `Unusable`, `Errno` and `Fault`.
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

    /// Makes a key and the file for it. It has its name only when it is whole, and never takes another's place.
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
        let draft = path.removingLastComponent().appending("\(fileName).\(getpid())")
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

    /// The signature of `message`, 64 bytes; nil if OpenSSL makes none.
    func signature(of message: [UInt8]) -> [UInt8]? {
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
