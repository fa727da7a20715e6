import Glibc
import NIOCore
import Wire

/// The input of a client that nobody has acted on yet. It is kept as bytes, and cut into lines one by one: many short lines take no more
/// memory than few long ones.
struct Inbox {
    /// The bytes from which on no more is read from the client. A line that is not whole yet comes on top.
    private static let limit = 65_536
    /// The longest line, in bytes, of which nothing is taken before it is whole, so that `glance` finds all of it.
    static let shortLine = 512

    private var framer: LineFramer
    private var bytes = ByteBuffer()
    /// Whether earlier bytes, which are gone, belong to a line whose end has not come.
    private var isMidLine = false
    /// The number of bytes that `glance` has been over, from the start of `bytes`.
    private var glanced = 0
    /// Whether `glance` had been over the line that `next` returned last.
    private(set) var tookGlancedAt = false

    init(line limit: Int) { framer = LineFramer(limit: limit) }

    var lineLimit: Int { framer.limit }
    var isFull: Bool { bytes.readableBytes >= Self.limit }
    /// Whether it is worth reading again after it was full.
    var isHalfEmpty: Bool { bytes.readableBytes <= Self.limit / 2 }
    var isEmpty: Bool { bytes.readableBytes == 0 }

    mutating func append(_ more: ByteBuffer) {
        if isEmpty { bytes = more } else { bytes.writeImmutableBuffer(more) }
    }

    /// Takes the next line, nil if there is no whole one. Lines of spaces are passed over.
    mutating func next() -> LineFramer.Line? {
        while !isEmpty {
            if !isMidLine { skipSpaces() }
            let length = lineLength(from: 0)
            if length == nil, !isMidLine, bytes.readableBytes <= Self.shortLine { return nil }
            tookGlancedAt = !isMidLine && length.map { $0 <= glanced } ?? false
            let part = bytes.readableBytesView.prefix(length ?? bytes.readableBytes)
            let lines = framer.append(part)
            isMidLine = length == nil
            drop(part.count)
            if let line = lines.first { return line }
        }
        return nil
    }

    /// The next whole line that it has not returned before, without taking it; nil if there is none.
    mutating func glance() -> [UInt8]? {
        var isTail = isMidLine && glanced == 0
        while true {
            guard let length = lineLength(from: glanced) else { return nil }
            let line = bytes.readableBytesView.dropFirst(glanced).prefix(length - 1)
            glanced += length
            if !isTail, line.count <= lineLimit { return Array(line) }
            isTail = false
        }
    }

    /// The length of the line that begins `start` bytes further on, with its newline; nil when there is none. This looks at each byte that
    /// clients send, so it uses memchr.
    private func lineLength(from start: Int) -> Int? {
        bytes.withUnsafeReadableBytes { all in
            let rest = all.dropFirst(start)
            guard let base = UnsafeRawBufferPointer(rebasing: rest).baseAddress,
                  let newline = memchr(base, CInt(UInt8(ascii: "\n")), rest.count) else { return nil }
            return UnsafeRawPointer(newline) - base + 1
        }
    }

    private mutating func skipSpaces() {
        let spaces = bytes.readableBytesView.prefix { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }
        drop(spaces.count)
    }

    private mutating func drop(_ count: Int) {
        bytes.moveReaderIndex(forwardBy: count)
        glanced = max(0, glanced - count)
        // A client that has said all it had to say needs no memory.
        if isEmpty { bytes = ByteBuffer() } else if bytes.readerIndex >= Self.limit { bytes.discardReadBytes() }
    }
}
