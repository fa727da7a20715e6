import Files
import Glibc
import SystemPackage

/// Looks whether the key by which journals are signed is still in its file. Journals that come after a restart would be another box's.
public struct JournalKeyWatch: Sendable {
    /// Which file that is, and when it was changed last.
    private struct Sight: Equatable {
        var device: UInt64
        var inode: UInt64
        var seconds: Int
        var nanoseconds: Int

        /// Nil where there is nothing.
        init?(_ path: FilePath) {
            guard let info = path.information else { return nil }
            (device, inode) = (UInt64(info.st_dev), UInt64(info.st_ino))
            (seconds, nanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
        }
    }

    private let path: FilePath
    private let key: JournalPublicKey
    private var seen: Sight?
    /// What has become of the key, in words; nil while it is there.
    public private(set) var issue: String?

    /// `key` was read from its file in `directory`.
    public init(_ key: JournalKey, in directory: FilePath) {
        path = directory.appending(JournalKey.fileName)
        self.key = key.publicKey
        seen = Sight(path)
    }

    /// To be called again and again. Reads the file only where it is another, or was changed, since the last call.
    public mutating func look() {
        let now = Sight(path)
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
