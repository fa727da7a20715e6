import Files
import Glibc
import Journal
import SystemPackage

/// A directory of journals.
public struct SessionFolder: Sendable {
    public struct Session: Sendable {
        public var path: FilePath
        public var bytes: Int64
        /// When it was last written to, seconds since 1970-01-01 in UTC.
        public var modified: Int
    }

    public let path: FilePath

    public init(_ path: FilePath) { self.path = path }

    /// `$XDG_STATE_HOME/thrum/sessions`, or the like under `$HOME`; nil where neither is set.
    public static func standard(_ environment: [String: String]) -> FilePath? {
        (environment["XDG_STATE_HOME"] ?? environment["HOME"].map { $0 + "/.local/state" }).map { FilePath($0 + "/thrum/sessions") }
    }

    /// Every journal in it, the oldest first: they are named after when they began. Throws `Errno`.
    public func sessions() throws -> [Session] {
        var sessions: [(order: (String, Int), session: Session)] = []
        for name in try path.names() {
            let file = path.pushing(name)
            guard file.extension == "jsonl", let info = file.information, info.st_mode & S_IFMT == S_IFREG else { continue }
            sessions.append((Self.order(file), Session(path: file, bytes: Int64(info.st_size), modified: info.st_mtim.tv_sec)))
        }
        return sessions.sorted { $0.order < $1.order }.map(\.session)
    }

    /// The journals from the one of the name `stem` on, the oldest first, whether that one is still there or not. Throws `Errno`.
    public func sessions(from stem: String) throws -> [Session] {
        let first = Self.order(FilePath(stem + ".jsonl"))
        return try sessions().filter { Self.order($0.path) >= first }
    }

    /// Of two that began in the same second the later has a number: `…Z.jsonl`, `…Z-2.jsonl`.
    private static func order(_ path: FilePath) -> (String, Int) {
        JournalName(path).map { ($0.stem, $0.number) } ?? (path.stem ?? "", 0)
    }
}
