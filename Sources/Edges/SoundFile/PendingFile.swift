import Glibc
import SystemPackage

/// A file being written without a name, which gets one only when it is whole. Given up before that, even by a signal, it
/// leaves nothing behind.
public struct PendingFile: ~Copyable {
    public let descriptor: FileDescriptor
    private let final: FilePath
    private let replaces: Bool
    /// Where the file system has no files without a name, it has this one meanwhile.
    private let temporary: FilePath
    private let isNamed: Bool
    private var isPublished = false

    /// `replaces`: whether a file of that name may be overwritten; a symbolic link stands for what it points to. Throws
    /// `Errno`, among them `.fileExists`, and `.invalidArgument` for what is no regular file.
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
        // Beside it, so that naming never crosses a file system.
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

    /// Gives the file its name. Throws `.fileExists` when one of that name came about meanwhile and may not be replaced.
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

    /// A link never replaces anything.
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
