import Fields
import Glibc
import Journal
import Signals
import SystemPackage
import Units

/// Reads a journal from disk entry by entry, in constant memory. Owns the open file.
public struct JournalScan: ~Copyable {
    /// A position in a journal's file that a scan has reached: after the last line that ends with a newline. A plain value of some hundred
    /// bytes.
    public struct Place: Sendable {
        /// The number of bytes of the file before this position.
        public let offset: Int64
        fileprivate let inode: FileState.Inode
        fileprivate let reader: JournalReader
        /// The last bytes before this position. They contain the last line's checksum, which covers all lines above it.
        fileprivate let lastBytes: [UInt8]
    }

    /// Says that a file is not the one in which a `Place` was reached, or that its content before that position has changed.
    public struct OtherFile: Error {
        public init() {}
    }

    /// The longest allowed line, in bytes. No line of thrumd is that long: a header with a very large theme has some tens of KiB.
    public static let longestLine = 1 << 20
    private static let blockSize = 1 << 16
    /// The number of bytes before its position that a `Place` stores. A line's checksum with its newline has 18 bytes.
    private static let lastSize = 32

    public let path: FilePath
    /// The state of the file when it was opened.
    public let state: FileState
    private let file: FileDescriptor
    private let proof: JournalProof?
    private var reader: JournalReader
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// The number of the file's bytes before the position at which this scan began; `passed` has the last bytes that are no longer in
    /// `buffer`.
    private let start: Int64
    private var passed: [UInt8]
    /// The position after the last newline, once the text after it has been read; nil before.
    private var lastPlace: Place?
    /// The number of bytes that were read from the disk so far.
    public private(set) var bytesRead: Int64 = 0

    /// Opens a journal. Passes its lines to `proof`. Throws `Errno` when the file cannot be opened.
    public init(_ path: FilePath, proof: JournalProof? = nil) throws {
        self.init(path, try Self.open(path), proof, from: nil)
    }

    /// Goes on at `place`, a position that another scan of this file has reached: the next entry is the one after it. The file may have
    /// grown since. Throws `Errno`. Throws `OtherFile` where the file was replaced, or has other bytes before the position.
    public init(_ path: FilePath, from place: Place) throws {
        self.init(path, try Self.open(path, at: place), nil, from: place)
    }

    private init(_ path: FilePath, _ opened: (FileDescriptor, FileState), _ proof: JournalProof?, from place: Place?) {
        self.path = path
        (file, state) = opened
        self.proof = proof
        reader = place?.reader ?? JournalReader()
        start = place?.offset ?? 0
        passed = place?.lastBytes ?? []
    }

    private static func open(_ path: FilePath, at place: Place? = nil) throws -> (FileDescriptor, FileState) {
        let file = try FileDescriptor.open(path, .readOnly)
        do {
            let state = try FileState(of: file)
            guard let place else { return (file, state) }
            guard state.inode == place.inode, state.bytes >= place.offset else { throw OtherFile() }
            try file.seek(offset: place.offset - Int64(place.lastBytes.count), from: .start)
            let found = try [UInt8](unsafeUninitializedCapacity: place.lastBytes.count) { bytes, count in
                count = try file.read(into: UnsafeMutableRawBufferPointer(bytes))
            }
            guard found == place.lastBytes else { throw OtherFile() }
            return (file, state)
        } catch {
            try? file.close()
            throw error
        }
    }

    /// The position that this scan has reached, from which another scan can go on.
    public var place: Place {
        if let lastPlace { return lastPlace }
        let lastBytes = position > 0 ? Array(buffer[..<position].suffix(Self.lastSize)) : passed
        return Place(offset: start + bytesRead - Int64(buffer.count - position), inode: state.inode, reader: reader,
                     lastBytes: lastBytes)
    }

    deinit { try? file.close() }

    /// The number of the line last returned, from 1.
    public var line: Int { reader.linesRead }

    /// The way in which the journal stopped; meaningful once `next` has returned nil.
    public var ending: JournalReader.Ending { reader.ending }

    /// The integrity of the lines read so far, according to their checksums.
    public var integrity: JournalIntegrity { reader.integrity }

    /// Whether the file's last line lacks its newline; meaningful once `next` has returned nil.
    public var lacksNewline: Bool { reader.lacksNewline }

    /// Reads the first line; must be called first. Without a complete header there is no session: that is a fault of line 1. Throws
    /// `JournalFault` and `Errno`.
    public mutating func header() throws -> JournalHeader {
        guard case .header(let header)? = try next() else { preconditionFailure("the first line is a header or a fault") }
        return header
    }

    /// Reads the next entry; nil at the end. Throws `JournalFault` for a bad line, and `Errno` where the disk fails.
    public mutating func next() throws -> JournalEntry? {
        while true {
            if let newline = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = buffer[position..<newline]
                position = newline + 1
                let entry = try reader.read(line)
                proof?.take(line, entry)
                return entry
            }
            if isAtEnd {
                let rest = Array(buffer[position...])
                let behind = place
                position = buffer.count
                guard rest.isEmpty else {
                    lastPlace = behind
                    return try reader.readLast(rest)
                }
                guard reader.linesRead > 0 else { throw JournalReader.noHeader }
                return nil
            }
            try fill()
        }
    }

    private mutating func fill() throws {
        if position > 0 { passed = Array(buffer[..<position].suffix(Self.lastSize)) }
        buffer.removeSubrange(..<position)
        position = 0
        guard buffer.count <= Self.longestLine else {
            throw JournalFault(line: reader.linesRead + 1,
                               fault: Fault(field: "", expected: "lines of at most \(Self.longestLine) bytes"))
        }
        let block = try [UInt8](unsafeUninitializedCapacity: Self.blockSize) { bytes, count in
            count = try file.read(into: UnsafeMutableRawBufferPointer(bytes))
        }
        buffer += block
        bytesRead += Int64(block.count)
        isAtEnd = block.isEmpty
    }
}

/// Finds the length of a session without reading the whole journal: from the last complete line.
public enum JournalTail {
    private static let blockSize: Int64 = 1 << 16

    /// Returns the frame of the last line that can be read, and the reason of the session's end if that is the end line. Returns nil when
    /// there is no line after the header. Reads only as much of the file's end as it needs, and holds at most a line and a block in memory.
    /// Stops at a complete line that `JournalScan` would refuse, for instance one that is too long. Throws `Errno`.
    public static func lastFrame(of path: FilePath) throws -> (frame: Frame, end: SessionEnd?)? {
        let file = try FileDescriptor.open(path, .readOnly)
        return try file.closeAfter {
            var position = try file.seek(offset: 0, from: .end)
            // The end of a line whose beginning has not been found yet, going back.
            var rest: [UInt8] = []
            // What follows the last newline may be anything.
            var mayBeTorn = true
            while position > 0, rest.count <= JournalScan.longestLine {
                let start = max(0, position - blockSize)
                rest = try bytes(of: file, from: start, count: Int(position - start)) + rest
                position = start
                var lines = rest.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                let first = lines.removeFirst()
                for line in lines.reversed() + (position == 0 ? [first] : []) {
                    switch JournalLine.decodeIfWhole(line) {
                    case .event(_, let frame, _, _), .discontinuity(.lost, let frame): return (frame, nil)
                    case .end(let end, let frame): return (frame, end)
                    case .header, .discontinuity, .checkpoint: break
                    case nil: guard mayBeTorn else { return nil }
                    }
                    mayBeTorn = false
                }
                rest = Array(first)
            }
            return nil
        }
    }

    /// Reads up to `count` bytes from `start` on; fewer if the file ends before. Throws `Errno`.
    static func bytes(of file: FileDescriptor, from start: Int64, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
            while filled < count {
                let free = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(bytes)[filled...])
                let more = try file.read(fromAbsoluteOffset: start + Int64(filled), into: free)
                guard more > 0 else { break }
                filled += more
            }
        }
    }
}

/// The identity of a file on disk, its length, and the time of its last change.
public struct FileState: Equatable, Sendable {
    struct Inode: Equatable, Sendable {
        var device: UInt64
        var number: UInt64
    }

    let inode: Inode
    public let bytes: Int64
    /// The time of the file's last change, in seconds and nanoseconds since 1970-01-01.
    private let modified: (Int, Int)

    /// The state as text. It differs for another file, and for this file after a change.
    public var text: String {
        "\(inode.device)-\(inode.number)-\(bytes)-\(modified.0).\(modified.1)"
    }

    /// Reads the state of an open file. Throws `Errno`.
    init(of file: FileDescriptor) throws {
        var info = stat()
        guard fstat(file.rawValue, &info) == 0 else { throw Errno(rawValue: errno) }
        self.init(info)
    }

    /// Reads the state of the file at `path`, through symbolic links. Throws `Errno`.
    public init(at path: FilePath) throws {
        var info = stat()
        guard path.withPlatformString({ stat($0, &info) }) == 0 else { throw Errno(rawValue: errno) }
        self.init(info)
    }

    private init(_ info: stat) {
        inode = Inode(device: UInt64(info.st_dev), number: UInt64(info.st_ino))
        bytes = Int64(info.st_size)
        modified = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
    }

    /// Whether the file is the one of the state `earlier`, and has not become shorter since.
    public func continues(_ earlier: FileState) -> Bool { inode == earlier.inode && bytes >= earlier.bytes }

    public static func == (a: FileState, b: FileState) -> Bool {
        a.inode == b.inode && a.bytes == b.bytes && a.modified == b.modified
    }
}

/// Reads any bytes of a journal's file, as long as the file does not change. A plain value without an open file: each call opens the file
/// anew. Thread: any, several at once.
public struct JournalBytes: Sendable {
    public let path: FilePath
    public let state: FileState
    private let isGrowing: Bool

    /// Records the state of the file at `path`. Where `isGrowing`, lines may be added to the file, and the bytes that it has now stay as
    /// they are. Waits for the disk. Throws `Errno`.
    public init(_ path: FilePath, isGrowing: Bool = false) throws {
        self.path = path
        self.isGrowing = isGrowing
        state = try FileState(at: path)
    }

    /// Reads the bytes at `range`, which must be within the file. Waits for the disk. Throws `Errno`. Throws `JournalScan.OtherFile` where
    /// the file has changed since this value was made.
    public func bytes(_ range: Range<Int64>) throws -> [UInt8] {
        let file = try FileDescriptor.open(path, .readOnly)
        return try file.closeAfter {
            let found = try FileState(of: file)
            guard found == state || isGrowing && found.continues(state) else { throw JournalScan.OtherFile() }
            let bytes = try JournalTail.bytes(of: file, from: range.lowerBound, count: range.count)
            guard bytes.count == range.count else { throw JournalScan.OtherFile() }
            return bytes
        }
    }
}
