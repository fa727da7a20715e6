import CLinux
import Glibc

/// The folder of pages: its files as they are now, and nothing that is outside of it.
public struct Pages: Sendable {
    enum Found: Equatable {
        case file([UInt8], type: String)
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

    /// Waits for the disk.
    func read(_ path: PagePath) -> Found {
        let root = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard root >= 0 else { return .nothing }
        defer { close(root) }
        let file = openBeneath(root, path.path)
        guard file >= 0 else {
            return [ENOENT, ENOTDIR, ELOOP, EXDEV, ENAMETOOLONG].contains(errno) ? .nothing : .unreadable(String(cString: strerror(errno)))
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { return .unreadable(String(cString: strerror(errno))) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR: return .folder
        case S_IFREG where status.st_size <= Self.longest: return bytes(of: file, Int(status.st_size), path)
        case S_IFREG: return .unreadable("it has more than \(Self.longest) bytes")
        default: return .nothing
        }
    }

    private func bytes(of file: CInt, _ size: Int, _ path: PagePath) -> Found {
        var problem: CInt = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            while count < size {
                let read = Glibc.read(file, buffer.baseAddress?.advanced(by: count), size - count)
                if read < 0, errno == EINTR { continue }
                if read < 0 { problem = errno }
                // A file that has become shorter ends there.
                guard read > 0 else { break }
                count += read
            }
        }
        return problem == 0 ? .file(bytes, type: ContentType.of(path.path)) : .unreadable(String(cString: strerror(problem)))
    }
}
