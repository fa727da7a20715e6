import Glibc
import NIOCore
import Wire

/// The input of a client that has not been carried out yet. It is stored as bytes and cut into lines one by one, so that many short lines
/// take no more memory than few long ones.
struct Inbox {
    /// The number of waiting bytes from which on nothing is read from the client. An incomplete line may be added to them.
    private static let limit = 65_536
    /// The longest line, in bytes, that stays in `bytes` until it is complete, so that all of it can be looked at before its turn
    /// (`glance`).
    static let shortLine = 512

    private var framer: LineFramer
    private var bytes = ByteBuffer()
    /// Whether the bytes begin in the middle of a line whose start was taken before.
    private var isMidLine = false
    /// The number of bytes, from the start of `bytes`, that `glance` has already looked at.
    private var glanced = 0
    /// Whether the line that `next` returned last had already been returned by `glance`, which looks at lines before their turn.
    private(set) var tookGlancedAt = false

    init(line limit: Int) { framer = LineFramer(limit: limit) }

    var lineLimit: Int { framer.limit }
    var isFull: Bool { bytes.readableBytes >= Self.limit }
    /// Whether reading should resume after it was paused because the inbox was full.
    var isHalfEmpty: Bool { bytes.readableBytes <= Self.limit / 2 }
    var isEmpty: Bool { bytes.readableBytes == 0 }

    mutating func append(_ more: ByteBuffer) {
        if isEmpty { bytes = more } else { bytes.writeImmutableBuffer(more) }
    }

    /// Takes the next line; nil if there is no complete one. Blank lines are skipped.
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

    /// Returns the next complete line that `glance` has not returned before, without taking it; nil if there is none.
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

    /// Returns the length of the line that begins at `start`, with its newline; nil when its newline has not come. It looks at each byte
    /// that clients send, so it uses memchr.
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
        // An empty inbox gives its memory back.
        if isEmpty { bytes = ByteBuffer() } else if bytes.readerIndex >= Self.limit { bytes.discardReadBytes() }
    }
}
