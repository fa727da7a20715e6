import Glibc
import SystemPackage

/// Paths are bytes, which need not be UTF-8. `FilePath.string` repairs what is none, and so names another file: whatever asks the system
/// goes by the bytes.
extension FilePath {
    /// Whether there is something.
    public var isThere: Bool { withPlatformString { access($0, F_OK) } == 0 }

    /// What stat(2) says of it; nil where it says nothing, and `errno` says why.
    public var information: stat? {
        withPlatformString { look(at: $0) }
    }

    /// For people: each byte that is no UTF-8 is `\xHH`.
    public var shown: String { withPlatformString { ProcessText.shown(ProcessText.bytes($0)) } }

    /// Makes a directory of it, which gets `lastMode`, and those above it, where they are missing. Throws `Errno`.
    public func makeDirectories(lastMode: mode_t = 0o755) throws(Errno) {
        var path = FilePath(root: root, [])
        for (index, component) in components.enumerated() {
            path.append(component)
            let mode = index == components.count - 1 ? lastMode : 0o755
            guard path.withPlatformString({ mkdir($0, mode) }) != 0, errno != EEXIST else { continue }
            throw Errno(rawValue: errno)
        }
        guard let information else { throw Errno(rawValue: errno) }
        guard information.st_mode & S_IFMT == S_IFDIR else { throw .notDirectory }
    }

    /// The names of what is in the folder, each a path of its own, in no order; `.` and `..` are left out. Throws `Errno`.
    public func names() throws(Errno) -> [FilePath] {
        guard let directory = withPlatformString({ opendir($0) }) else { throw Errno(rawValue: errno) }
        defer { closedir(directory) }
        var names: [FilePath] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { FilePath(platformString: $0) }
            }
            if name != "." && name != ".." { names.append(name) }
        }
        return names
    }
}

/// Apart, because a `FilePath` has a `stat` of its own.
private func look(at path: UnsafePointer<CChar>) -> stat? {
    var info = stat()
    return stat(path, &info) == 0 ? info : nil
}
