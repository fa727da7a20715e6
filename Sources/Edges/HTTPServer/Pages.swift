import CLinux
import Files
import Glibc
import NIOCore
import NIOHTTP1

/// The folder of pages. It gives access to the files in it as they are now, and to nothing outside.
public struct Pages: Sendable {
    enum Found {
        case file(PageFile)
        /// A folder. Its page must be requested with a slash at the end.
        case folder
        case nothing
        /// A file that cannot be served, with the reason.
        case unreadable(String)
    }

    /// The largest number of bytes that a file may have.
    static let longest = 8 << 20

    private let folder: String

    public init(in folder: String) { self.folder = folder }

    /// Opens the file at `path`. Waits for the disk.
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

/// The path of a requested file within the folder of pages. No part of it begins with a dot, so no path leads out of the folder, and hidden
/// files are not served.
struct PagePath: Equatable {
    /// The path without a leading slash. A folder's path ends in `index.html`.
    let path: String

    private init(path: String) { self.path = path }

    /// Returns the path within the subfolder `name`; nil if the file is not in that folder.
    func inside(_ name: String) -> PagePath? {
        guard path.utf8.starts(with: name.utf8) else { return nil }
        let rest = path.utf8.dropFirst(name.utf8.count)
        guard rest.isEmpty || rest.first == UInt8(ascii: "/") else { return nil }
        return PagePath(path: String(decoding: rest.dropFirst(), as: UTF8.self))
    }

    /// Reads the target of a request, without its query (RFC 9112, section 3.2.1). Throws 400 where the target is no path, and 404 where it
    /// names a file that is never served.
    init(_ target: some StringProtocol) throws(HTTPRefusal) {
        guard target.hasPrefix("/"), let decoded = Self.decoded(target.utf8) else {
            throw HTTPRefusal(.badRequest, "expected a path from / on, in UTF-8 with percent encoding")
        }
        var parts = decoded.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        if parts.last?.isEmpty == true {
            parts.removeLast()
            parts.append("index.html")
        }
        guard parts.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(".") }) else { throw HTTPRefusal(.notFound, "there is no such file") }
        path = parts.joined(separator: "/")
    }

    /// Decodes percent encoding; nil if that or the UTF-8 is invalid, or there is a zero byte.
    private static func decoded(_ text: some Sequence<UInt8>) -> String? {
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.next().flatMap(digit), let low = rest.next().flatMap(digit) else { return nil }
            bytes.append(high << 4 | low)
        }
        return bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }

    private static func digit(_ byte: UInt8) -> UInt8? { Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8($0) } }
}

/// A file in the folder of pages, which is read in pieces while the client receives it. It stays open until the last reference is gone.
/// Thread: any, several at once.
final class PageFile: ServedBytes {
    /// The reason why the file's bytes cannot be read.
    struct Unreadable: Error, Equatable, CustomStringConvertible {
        var description: String

        static var now: Unreadable { Unreadable(description: String(cString: strerror(errno))) }
    }

    /// The size of a piece: the largest number of bytes in memory for one reader.
    static let piece = 65_536

    let type: String
    let size: Int
    let tag: EntityTag
    /// All bytes of a file that is smaller than one piece; nil for a larger file.
    let whole: ByteBuffer?
    private let descriptor: CInt
    private let changed: timespec

    /// Takes ownership of the descriptor, and reads the file once to compute its tag. Waits for the disk.
    init(_ descriptor: CInt, _ status: stat, type: String) throws(Unreadable) {
        self.descriptor = descriptor
        self.type = type
        changed = status.st_mtim
        let digest = RunningDigest()
        var size = 0
        var last = ByteBuffer()
        var problem: Unreadable?
        do throws(Unreadable) {
            // If the file has become shorter meanwhile, it ends at its new end.
            repeat {
                last = try Self.read(descriptor, size..<min(size + Self.piece, max(size, Int(status.st_size))))
                digest.add(last.readableBytesView)
                size += last.readableBytes
            } while last.readableBytes == Self.piece
        } catch {
            problem = error
        }
        self.size = size
        tag = EntityTag(digest: digest.value())
        whole = size < Self.piece ? last : nil
        if let problem { throw problem }
    }

    deinit { close(descriptor) }

    /// Reads the bytes at `range`, at most one piece. Throws when the file has changed since it was opened, because a reader would get the
    /// beginning of one version and the end of another. Waits for the disk.
    func bytes(_ range: Range<Int>) throws(Unreadable) -> ByteBuffer {
        let bytes = try Self.read(descriptor, range)
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .now }
        guard bytes.readableBytes == range.count, status.st_mtim.tv_sec == changed.tv_sec, status.st_mtim.tv_nsec == changed.tv_nsec else {
            throw Unreadable(description: "it has changed")
        }
        return bytes
    }

    func part(_ range: Range<Int>) throws -> ByteBuffer? { try bytes(range) }

    /// Reads the bytes at `range`; fewer if the file ends before.
    private static func read(_ descriptor: CInt, _ range: Range<Int>) throws(Unreadable) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(range.count)
        var isAtEnd = false
        while bytes.readableBytes < range.count, !isAtEnd {
            let wanted = range.count - bytes.readableBytes
            let offset = range.lowerBound + bytes.readableBytes
            var read = 0
            bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { buffer in
                repeat { read = pread(descriptor, buffer.baseAddress, wanted, offset) } while read < 0 && errno == EINTR
                return max(0, read)
            }
            guard read >= 0 else { throw .now }
            isAtEnd = read == 0
        }
        return bytes
    }
}

/// The tag of a file's content, by which a browser recognizes whether its copy is up to date (RFC 9110, section 8.8.3): the first half of
/// the SHA-256 of the bytes. The time of modification would not do, because all files of a package have the same.
public struct EntityTag: Equatable, Sendable {
    /// The tag in quotes, as it is written in a header.
    let text: String

    /// Makes the tag from the SHA-256 of a file's bytes, or of the data that determines them.
    public init(digest: [UInt8]) { text = "\"" + Digest.hexadecimal(digest.prefix(16)) + "\"" }

    /// Says whether this tag is among those of `If-None-Match`. Tags are compared weakly (section 13.1.2).
    func matches(_ wanted: some Sequence<Substring>) -> Bool {
        wanted.contains { $0 == "*" || $0 == text || $0 == "W/" + text }
    }
}

/// The media type of a file, by the extension of its name (RFC 9110, section 8.3). Browsers are told not to guess it, so it must be right.
enum ContentType {
    static let text = "text/plain; charset=utf-8"
    static let json = "application/json"

    private static let byEnding = [
        "avif": "image/avif", "css": "text/css; charset=utf-8", "gif": "image/gif", "html": "text/html; charset=utf-8",
        "ico": "image/vnd.microsoft.icon", "jpeg": "image/jpeg", "jpg": "image/jpeg", "js": "text/javascript; charset=utf-8", "json": json,
        "md": "text/markdown; charset=utf-8", "mjs": "text/javascript; charset=utf-8", "mp3": "audio/mpeg", "mp4": "video/mp4",
        "ogg": "audio/ogg", "otf": "font/otf", "png": "image/png", "svg": "image/svg+xml", "ttf": "font/ttf", "txt": text,
        "wasm": "application/wasm", "wav": "audio/wav", "webm": "video/webm", "webmanifest": "application/manifest+json",
        "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
    ]

    static func of(_ path: String) -> String {
        guard let dot = path.lastIndex(of: "."), !path[dot...].contains("/") else { return "application/octet-stream" }
        return byEnding[path[dot...].dropFirst().lowercased()] ?? "application/octet-stream"
    }
}
