import Fields
import Glibc
import SystemPackage

/// Reads files that people write, and replaces files whole. It reads only regular files, and symbolic links to them: opening a FIFO
/// would wait for a writer. No call but `open` and `replace` waits longer than `BlockingWork.limit`. Thread: any.
public enum PlainFile {
    /// Reads the whole file. Throws `Errno` where the file cannot be read, and `Fault` where it is no regular file, has more than `most`
    /// bytes, or does not answer in time.
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

    /// Says whether the file exists and may be read; false where that is not known in time.
    public static func isReadable(_ path: String) -> Bool { (try? BlockingWork.wait { access(path, R_OK) == 0 }) ?? false }

    /// Says whether there is a folder at `path`; false where that is not known in time.
    public static func isFolder(_ path: String) -> Bool {
        let isFolder = try? BlockingWork.wait {
            var info = stat()
            return stat(path, &info) == 0 && info.st_mode & S_IFMT == S_IFDIR
        }
        return isFolder ?? false
    }

    /// Says whether there is certainly nothing at `path`; false where the file system does not answer in time or does not permit a look.
    public static func isMissing(_ path: String) -> Bool {
        (try? BlockingWork.wait { access(path, F_OK) != 0 && [ENOENT, ENOTDIR].contains(errno) }) ?? false
    }

    /// Opens the file for reading. Waits as long as the file system takes, so call it within `BlockingWork`. Throws as `bytes` does.
    public static func open(_ path: FilePath) throws -> FileDescriptor {
        var info = stat()
        // Only a regular file is opened: with others, opening may wait, and some devices act on it.
        guard path.withPlatformString({ stat($0, &info) }) == 0 else { throw Errno(rawValue: errno) }
        try check(info)
        let file = try FileDescriptor.open(path, .readOnly, options: [.closeOnExec])
        do {
            // Another file may have taken its place since the check.
            guard fstat(file.rawValue, &info) == 0 else { throw Errno(rawValue: errno) }
            try check(info)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }

    /// Writes `bytes` as the file at `path`, and makes the folder if it is missing. A reader finds the earlier file or the whole new one,
    /// even after a loss of power. The new file is first written beside it, under the name `path` + `.part`. A `.part` file that a killed
    /// process left is removed, so a file may have only one writer at a time. Waits as long as the file system takes. Throws `Errno`.
    public static func replace(_ path: FilePath, with bytes: [UInt8], _ permissions: FilePermissions) throws {
        let folder = path.removingLastComponent()
        let isNew = !folder.isThere
        try folder.makeDirectories()
        let part = folder.appending(path.lastComponent.map { "\($0).part" } ?? ".part")
        // Left by a process that was killed; or a FIFO, whose opening would block.
        guard part.withPlatformString({ unlink($0) }) == 0 || errno == ENOENT else { throw Errno(rawValue: errno) }
        let file = try FileDescriptor.open(part, .writeOnly, options: [.create, .exclusiveCreate, .closeOnExec], permissions: permissions)
        do {
            try file.closeAfter {
                try file.writeAll(bytes)
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            }
            let isRenamed = part.withPlatformString { part in path.withPlatformString { rename(part, $0) } } == 0
            guard isRenamed else { throw Errno(rawValue: errno) }
        } catch {
            _ = part.withPlatformString { unlink($0) }
            throw error
        }
        // The file's new name must outlast a loss of power, and so must that of its folder.
        try sync(folder)
        if isNew { try sync(folder.removingLastComponent()) }
    }

    private static func sync(_ folder: FilePath) throws {
        let directory = try FileDescriptor.open(folder, .readOnly, options: [.directory, .closeOnExec])
        try directory.closeAfter {
            guard fsync(directory.rawValue) == 0 else { throw Errno(rawValue: errno) }
        }
    }

    private static func check(_ info: stat) throws {
        let kind: String
        switch info.st_mode & S_IFMT {
        case S_IFREG: return
        // Reading `/dev/null` is like reading an empty file.
        case S_IFCHR where info.st_rdev == nullDevice: return
        case S_IFIFO: kind = "a FIFO"
        case S_IFDIR: kind = "a directory"
        case S_IFSOCK: kind = "a socket"
        default: kind = "a device"
        }
        throw Fault(field: "", expected: "a regular file", found: kind)
    }

    /// The device number of `/dev/null`: major 1, minor 3 (null(4)).
    private static let nullDevice: dev_t = 1 << 8 | 3
}

extension FileDescriptor {
    /// Reads bytes until the end of the file, but at most `most`. Throws `Errno`.
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

/// Passes paths to the system as bytes, which need not be UTF-8. `FilePath.string` replaces bytes that are not UTF-8, and so names another
/// file. Code that passes a path to the system must therefore use the bytes.
extension FilePath {
    /// Whether there is something at the path.
    public var isThere: Bool { withPlatformString { access($0, F_OK) } == 0 }

    /// The result of stat(2); nil if it fails, with the reason in `errno`.
    public var information: stat? {
        withPlatformString { look(at: $0) }
    }

    /// The path as text for people, in which each byte that is not UTF-8 is `\xHH`.
    public var shown: String { withPlatformString { ProcessText.shown(ProcessText.bytes($0)) } }

    /// Makes the directory, with the mode `lastMode`, and those above it, where they are missing. Throws `Errno`.
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

    /// Returns the names of the folder's entries without `.` and `..`, in no particular order, each as a path. Throws `Errno`.
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

/// Calls stat(2). It is a function outside of `FilePath`, because that has a `stat` of its own.
private func look(at path: UnsafePointer<CChar>) -> stat? {
    var info = stat()
    return stat(path, &info) == 0 ? info : nil
}

/// Finds the files that are installed with the running program.
public enum ProgramFiles {
    /// Returns the folder `name` of the program's files: `share/thrum/NAME` beside the program's folder, or `NAME` beside the sources for a
    /// program that was built in a clone. Nil where there is no such folder.
    public static func folder(_ name: String) -> FilePath? {
        guard let resolved = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(resolved) }
        let folder = folder(name, of: FilePath(platformString: resolved))
        return folder.withPlatformString { access($0, F_OK) } == 0 ? folder : nil
    }

    /// Returns the path of the program `name` beside the running one; where there is none, the name itself, for which PATH is searched.
    public static func program(_ name: String) -> String {
        guard let own = realpath("/proc/self/exe", nil) else { return name }
        defer { free(own) }
        let beside = FilePath(platformString: own).removingLastComponent().appending(name).string
        return access(beside, X_OK) == 0 ? beside : name
    }

    /// Returns where the folder `name` of `program` would be, whether it exists or not.
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

// Paths that come from people and from environment variables.
extension FilePath {
    /// Returns the absolute path of the file `name`, as another file in this folder names it. Symbolic links in the folder's path are
    /// resolved.
    public func absolutePath(of name: String) -> FilePath {
        let folder: FilePath = isEmpty ? "." : self
        let resolved = folder.withPlatformString { realpath($0, nil) }
        defer { free(resolved) }
        return (resolved.map { FilePath(platformString: $0) } ?? folder).pushing(FilePath(name)).lexicallyNormalized()
    }

    /// Returns the user's folder for Thrum, which need not exist: `$XDG_CONFIG_HOME/thrum`, or `$HOME/.config/thrum`. Nil where
    /// `environment` has neither variable.
    public static func userFolder(_ environment: [String: String]) -> FilePath? {
        let home = environment["XDG_CONFIG_HOME"] ?? environment["HOME"].map { $0 + "/.config" }
        return home.map { FilePath($0).appending("thrum") }
    }
}
