import CLinux
import Glibc

/// The folder of pages: its files as they are now, and nothing that is outside of it.
public struct Pages: Sendable {
    enum Found {
        case file(PageFile)
        /// A folder, whose page is asked for with a slash at its end.
        case folder
        case nothing
        /// It is there and cannot be served, and why.
        case unreadable(String)
    }

    /// Of a file, in bytes.
    static let longest = 8 << 20

    private let folder: String

    public init(in folder: String) { self.folder = folder }

    /// Opens what is there. Waits for the disk.
    func find(_ path: PagePath) -> Found {
        let root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { return .nothing }
        defer { close(root) }
        let file = openBeneath(root, path.path)
        guard file >= 0 else {
            return [ENOENT, ENOTDIR, ELOOP, EXDEV, ENAMETOOLONG].contains(errno) ? .nothing : .unreadable(String(cString: strerror(errno)))
        }
        var status = stat()
        let isKnown = fstat(file, &status) == 0
        let problem = errno
        if isKnown, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.longest {
            do throws(PageFile.Unreadable) {
                return .file(try PageFile(file, status, type: ContentType.of(path.path)))
            } catch {
                return .unreadable("\(error)")
            }
        }
        close(file)
        guard isKnown else { return .unreadable(String(cString: strerror(problem))) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG: return .unreadable("it has more than \(Self.longest) bytes")
        default: return .nothing
        }
    }
}
