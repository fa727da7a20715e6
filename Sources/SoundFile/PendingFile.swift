import Glibc
import SystemPackage

/// A file being written under another name, which gets its own only when it is whole. Given up before that, it vanishes.
public struct PendingFile: ~Copyable {
    public let descriptor: FileDescriptor
    private let temporary: FilePath
    private let final: FilePath
    private let replaces: Bool
    private var isPublished = false

    /// `replaces`: whether a file of that name may be overwritten. Throws `Errno`, `.fileExists` among them.
    public init(_ path: FilePath, replaces: Bool) throws {
        if !replaces, access(path.string, F_OK) == 0 { throw Errno.fileExists }
        // Beside it, so that renaming never crosses a file system.
        let name = path.lastComponent?.string ?? "out"
        let temporary = path.removingLastComponent().appending(".\(name).\(getpid()).part")
        descriptor = try FileDescriptor.open(temporary, .writeOnly, options: [.create, .truncate],
                                             permissions: [.ownerReadWrite, .groupRead, .otherRead])
        self.temporary = temporary
        final = path
        self.replaces = replaces
    }

    /// Gives the file its name. Throws `.fileExists` when one of that name came about meanwhile and may not be replaced.
    public consuming func publish() throws {
        if replaces {
            guard rename(temporary.string, final.string) == 0 else { throw Errno(rawValue: errno) }
            isPublished = true
        } else {
            // A link never replaces anything; the temporary name goes with this value.
            guard link(temporary.string, final.string) == 0 else { throw Errno(rawValue: errno) }
        }
    }

    deinit {
        try? descriptor.close()
        if !isPublished { unlink(temporary.string) }
    }
}
