import Fields
import Journal
import Signals
import SystemPackage
import Units

/// Reads a journal from disk entry by entry, in constant memory. Owns the open file.
public struct JournalScan: ~Copyable {
    /// Where a scan has come to: behind the last line that ends with a newline. A plain value of some hundred bytes.
    public struct Place: Sendable {
        /// The file's bytes before it.
        public let offset: Int64
        fileprivate let inode: FileState.Inode
        fileprivate let reader: JournalReader
        /// The last bytes before it. They have the last line's sum, which stands for all lines above it.
        fileprivate let lastBytes: [UInt8]
    }

    /// The file is not the one that a place is of, or no longer begins as it did.
    public struct OtherFile: Error {}

    /// What no honest line reaches: a header with a very large theme is some tens of KiB.
    public static let longestLine = 1 << 20
    private static let blockSize = 1 << 16
    /// Of a place's last bytes: a line's sum with its newline has 18 bytes.
    private static let lastSize = 32

    public let path: FilePath
    /// Of the file when it was opened.
    public let state: FileState
    private let file: FileDescriptor
    private let proof: JournalProof?
    private var reader = JournalReader()
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// The file's bytes before the place at which this scan began, and the last of all that is no longer in `buffer`.
    private let start: Int64
    private var passed: [UInt8] = []
    /// Set when what follows the last newline is read.
    private var lastPlace: Place?
    /// Of the file, taken from the disk so far.
    public private(set) var bytesRead: Int64 = 0

    /// `proof` is shown each line. Throws `Errno` when the file cannot be opened.
    public init(_ path: FilePath, proof: JournalProof? = nil) throws {
        self.path = path
        self.proof = proof
        start = 0
        (file, state) = try Self.open(path)
    }

    /// Goes on at `place`, which another scan of this file has come to: the next entry is the one behind it. The file may have grown since.
    /// Throws `OtherFile` where it is another file, or one that does not have the same bytes before the place, and `Errno`.
    public init(_ path: FilePath, from place: Place) throws {
        self.path = path
        proof = nil
        start = place.offset
        reader = place.reader
        passed = place.lastBytes
        (file, state) = try Self.open(path, at: place)
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

    /// Where this scan has come to.
    public var place: Place {
        if let lastPlace { return lastPlace }
        let lastBytes = position > 0 ? Array(buffer[..<position].suffix(Self.lastSize)) : passed
        return Place(offset: start + bytesRead - Int64(buffer.count - position), inode: state.inode, reader: reader,
                     lastBytes: lastBytes)
    }

    deinit { try? file.close() }

    /// The number of the line last returned, from 1.
    public var line: Int { reader.linesRead }

    /// How the journal stopped; meaningful once `next` has returned nil.
    public var ending: JournalReader.Ending { reader.ending }

    /// What the sums say of the lines read so far.
    public var integrity: JournalIntegrity { reader.integrity }

    /// Whether the file's last line lacks its newline; meaningful once `next` has returned nil.
    public var lacksNewline: Bool { reader.lacksNewline }

    /// Reads the first line. Whether there is a session in a journal is judged here, for whoever reads one: no header, or one that is cut
    /// off, is a fault of line 1. To be called first. Throws `JournalFault` and `Errno`.
    public mutating func header() throws -> JournalHeader {
        guard case .header(let header)? = try next() else { preconditionFailure("the first line is a header or a fault") }
        return header
    }

    /// The next entry; nil at the end. Throws `JournalFault` for a bad line and `Errno` for a bad disk.
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
