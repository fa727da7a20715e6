import Fields
import Glibc
import SystemPackage

/// Reads the files that people write. Only regular files, and symbolic links to them, are read: a FIFO has whoever opens it wait for a
/// writer. Nothing is waited for longer than `BlockingWork.limit`. Thread: any.
public enum PlainFile {
    /// Reads the whole file. Throws `Errno` where it cannot be read, and `Fault` where it is no regular file, has more than `most` bytes,
    /// or does not answer.
    public static func bytes(of path: FilePath, atMost most: Int) throws -> [UInt8] {
        try BlockingWork.wait {
            let file = try open(path)
            return try file.closeAfter {
                let bytes = try file.bytes(atMost: most + 1)
                guard bytes.count > most else { return bytes }
                throw Fault(field: "", expected: "at most " + (most % 1_048_576 == 0 ? "\(most / 1_048_576) MiB" : "\(most) bytes"))
            }
        }
    }

    /// Whether it is there and may be read; no where that is not known in time.
    public static func isReadable(_ path: String) -> Bool { (try? BlockingWork.wait { access(path, R_OK) == 0 }) ?? false }

    /// Whether it is a folder; no where that is not known in time.
    public static func isFolder(_ path: String) -> Bool {
        let isFolder = try? BlockingWork.wait {
            var info = stat()
            return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        }
        return isFolder ?? false
    }

    /// Whether it is known that there is nothing at `path`; no where the file system does not say so in time, or does not let it be seen.
    public static func isMissing(_ path: String) -> Bool {
        (try? BlockingWork.wait { access(path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno) }) ?? false
    }

    /// Opens the file to read from. Waits as long as the file system does, so it is for `BlockingWork`. Throws as `bytes` does.
    public static func open(_ path: FilePath) throws -> FileDescriptor {
        var info = stat()
        // Not even opened: that alone can wait, and devices act on it.
        guard path.withPlatformString({ stat($0, &info) }) == 0 else { throw Errno(rawValue: errno) }
        try check(info)
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        do {
            // Another file may have come in its place since.
            guard fstat(file.rawValue, &info) == 0 else { throw Errno(rawValue: errno) }
            try check(info)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }

    private static func check(_ info: stat) throws {
        let kind: String
        switch info.st_mode & S_IFMT {
        case S_IFREG: return
        // It is as good as an empty file.
        case S_IFCHR where info.st_rdev == nullDevice: return
        case S_IFIFO: kind = "a FIFO"
        case S_IFDIR: kind = "a directory"
        case S_IFSOCK: kind = "a socket"
        default: kind = "a device"
        }
        throw Fault(field: "", expected: "a regular file", found: kind)
    }

    /// `/dev/null`: major 1, minor 3 (null(4)).
    private static let nullDevice: dev_t = 1 << 8 | 3
}

extension FileDescriptor {
    /// Reads the next bytes, as many as there are up to `most`. Throws `Errno`.
    public func bytes(atMost most: Int = .max) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(most, 65_536))
        while bytes.count < most {
            let room = most - bytes.count
            let count = try piece.withUnsafeMutableBytes { try read(into: UnsafeMutableRawBufferPointer(rebasing: $0.prefix(room))) }
            guard count > 0 else { break }
            bytes += piece[..<count]
        }
        return bytes
    }
}

/// Asks the system about paths by their bytes, which need not be UTF-8. `FilePath.string` repairs what is none, and so names another file:
/// whatever asks the system goes by the bytes.
extension FilePath {
    /// Whether there is something at the path.
    public var isThere: Bool { withPlatformString { access($0, F_OK) } == 0 }

    /// The information of stat(2); nil where there is none, and `errno` says why.
    public var information: stat? {
        withPlatformString { look(at: $0) }
    }

    /// The path for people: each byte that is no UTF-8 is `\xHH`.
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

/// Calls stat(2), apart because a `FilePath` has a `stat` of its own.
private func look(at path: UnsafePointer<CChar>) -> stat? {
    var info = stat()
    return stat(path, &info) == 0 ? info : nil
}

/// Finds files that came with the running program.
public enum ProgramFiles {
    /// The folder `name` of them: `share/thrum/NAME` beside the program's folder, or, for a program that was built in a clone, `NAME`
    /// beside the sources. Nil where there is none.
    public static func folder(_ name: String) -> FilePath? {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        let folder = folder(name, of: FilePath(platformString: resolved))
        return folder.withPlatformString { access($0, F_OK) } == 0 ? folder : nil
    }

    /// The folder where the files of `program` would be.
    static func folder(_ name: String, of program: FilePath) -> FilePath {
        var sources = program
        while !sources.components.isEmpty {
            let last = sources.lastComponent
            sources.removeLastComponent()
            if last == ".build" { return sources.appending(name) }
        }
        return program.removingLastComponent().removingLastComponent().appending("share/thrum").appending(name)
    }
}
