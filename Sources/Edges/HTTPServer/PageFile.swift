import Glibc
import NIOCore

/// A file of the folder of pages, read in pieces as whoever asked for it takes them. It is open until nobody needs it any more. Thread:
/// any, one at a time or several.
final class PageFile: Sendable {
    /// Why its bytes cannot be had.
    struct Unreadable: Error, Equatable, CustomStringConvertible {
        var description: String

        fileprivate static var now: Unreadable { Unreadable(description: String(cString: strerror(errno))) }
    }

    /// Bytes that are in memory at once for one reader.
    static let piece = 65_536

    let type: String
    let size: Int
    let tag: EntityTag
    /// The bytes of a file that is one piece; nil of a larger one.
    let whole: ByteBuffer?
    private let descriptor: CInt
    private let changed: timespec

    /// Reads the file once, for its tag, and closes it in the end. Waits for the disk.
    init(_ descriptor: CInt, _ status: stat, type: String) throws(Unreadable) {
        self.descriptor = descriptor
        self.type = type
        changed = status.st_mtim
        var digest = RunningDigest()
        var size = 0
        var last = ByteBuffer()
        var problem: Unreadable?
        do throws(Unreadable) {
            // A file that has become shorter ends there.
            repeat {
                last = try Self.read(descriptor, size..<min(size + Self.piece, max(size, Int(status.st_size))))
                last.withUnsafeReadableBytes { digest.add($0) }
                size += last.readableBytes
            } while last.readableBytes == Self.piece
        } catch {
            problem = error
        }
        self.size = size
        tag = EntityTag(digest: digest.finish())
        whole = size < Self.piece ? last : nil
        if let problem { throw problem }
    }

    deinit { close(descriptor) }

    /// The bytes at `range`, which is one piece at most. Throws when the file has changed since it was opened: a reader would get the
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

    /// Fewer bytes where the file ends.
    private static func read(_ descriptor: CInt, _ range: Range<Int>) throws(Unreadable) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(range.count)
        var isAtEnd = false
        while bytes.readableBytes < range.count, !isAtEnd {
            let wanted = range.count - bytes.readableBytes
            let place = range.lowerBound + bytes.readableBytes
            var read = 0
            bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: wanted) { buffer in
                repeat { read = pread(descriptor, buffer.baseAddress, wanted, place) } while read < 0 && errno == EINTR
                return max(0, read)
            }
            guard read >= 0 else { throw .now }
            isAtEnd = read == 0
        }
        return bytes
    }
}
