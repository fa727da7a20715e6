import Glibc
import SystemPackage

/// A file that is written without a name, and gets its name only when it is complete. If the program ends before, even by a signal, nothing
/// of it remains.
public struct PendingFile: ~Copyable {
    public let descriptor: FileDescriptor
    private let final: FilePath
    private let replaces: Bool
    /// The file's temporary name, where the file system cannot make a file without a name.
    private let temporary: FilePath
    private let isNamed: Bool
    private var isPublished = false

    /// Opens a file for `path`. `replaces` is whether an existing file may be overwritten; through a symbolic link, that is the file to
    /// which it points. Throws `Errno`: `.fileExists`, `.invalidArgument` where `path` is no regular file, and others.
    public init(_ path: FilePath, replaces: Bool) throws {
        var final = path
        var info = stat()
        if path.withPlatformString({ stat($0, &info) }) == 0 {
            guard replaces else { throw Errno.fileExists }
            // A device or a directory must not be replaced by a file.
            guard info.st_mode & S_IFMT == S_IFREG else { throw Errno.invalidArgument }
            if let resolved = path.withPlatformString({ realpath($0, nil) }) {
                final = FilePath(platformString: resolved)
                free(resolved)
            }
        }
        // The temporary file is in the same directory, because a file cannot be renamed or linked into another file system.
        let directory = final.removingLastComponent()
        let temporary = directory.appending(".\(final.lastComponent?.string ?? "out").\(getpid()).part")
        let permissions: FilePermissions = [.ownerReadWrite, .groupRead, .otherRead]
        let nameless = try? FileDescriptor.open(directory.isEmpty ? "." : directory, .writeOnly,
                                                options: .init(rawValue: O_DIRECTORY | 0o20_000_000),  // O_TMPFILE
                                                permissions: permissions)
        descriptor = try nameless ?? FileDescriptor.open(temporary, .writeOnly, options: [.create, .truncate],
                                                         permissions: permissions)
        self.final = final
        self.replaces = replaces
        self.temporary = temporary
        isNamed = nameless == nil
    }

    /// Gives the file its name. Throws `.fileExists` when another file of that name was made meanwhile and must not be replaced.
    public consuming func publish() throws {
        if replaces {
            if !isNamed { try name(temporary) }
            let status = temporary.withPlatformString { old in final.withPlatformString { rename(old, $0) } }
            guard status == 0 else { throw Errno(rawValue: errno) }
            isPublished = true
        } else {
            try name(final)
        }
    }

    /// Links the file to `path`. This never replaces an existing file.
    private func name(_ path: FilePath) throws {
        let source = isNamed ? temporary : FilePath("/proc/self/fd/\(descriptor.rawValue)")
        let status = source.withPlatformString { source in
            path.withPlatformString { linkat(AT_FDCWD, source, AT_FDCWD, $0, AT_SYMLINK_FOLLOW) }
        }
        guard status == 0 else { throw Errno(rawValue: errno) }
    }

    deinit {
        try? descriptor.close()
        if !isPublished { _ = temporary.withPlatformString { unlink($0) } }
    }
}

/// Returns the bytes that this process may still write to the disk of the directory; nil where that is not known.
public func freeBytes(of directory: FilePath) -> Int64? {
    var volume = statvfs()
    return directory.withPlatformString { statvfs($0, &volume) } == 0 ? volume.freeBytes : nil
}

extension statvfs {
    /// The free bytes; nil for a file system that does not report its size.
    var freeBytes: Int64? {
        guard f_blocks > 0 else { return nil }
        return Int64(clamping: UInt64(f_bavail).multipliedReportingOverflow(by: UInt64(f_frsize)).partialValue)
    }
}
