/// Cuts a stream of bytes into lines of at most `limit` bytes. Bytes in, lines out, no I/O.
public struct LineFramer: Sendable {
    public enum Line: Equatable, Sendable {
        /// Without its newline (or carriage return and newline).
        case complete([UInt8])
        /// A line went past the limit; what is left of it up to its newline is thrown away.
        case oversized
    }

    /// 64 KiB, the protocol's longest line.
    public static let standardLimit = 65_536

    public let limit: Int
    private var partial: [UInt8] = []
    private var isDiscarding = false

    public init(limit: Int = standardLimit) { self.limit = limit }

    /// Takes the next bytes and returns the lines they complete, in order. Never keeps more than `limit` bytes.
    public mutating func append(_ bytes: some Sequence<UInt8>) -> [Line] {
        bytes.withContiguousStorageIfAvailable { cut($0) } ?? Array(bytes).withUnsafeBufferPointer { cut($0) }
    }

    private mutating func cut(_ bytes: UnsafeBufferPointer<UInt8>) -> [Line] {
        var lines: [Line] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let newline = rest.firstIndex(of: UInt8(ascii: "\n"))
            let part = rest[..<(newline ?? rest.endIndex)]
            if !isDiscarding, partial.count + part.count > limit {
                isDiscarding = true
                partial = []
                lines.append(.oversized)
            }
            if !isDiscarding { partial.append(contentsOf: part) }
            guard let newline else { break }
            rest = rest[(newline + 1)...]
            if !isDiscarding {
                if partial.last == UInt8(ascii: "\r") { partial.removeLast() }
                lines.append(.complete(partial))
                partial = []
            }
            isDiscarding = false
        }
        return lines
    }
}
