import Fields
import Journal
import Signals
import SystemPackage
import Units

/// Reads a journal from disk entry by entry, in constant memory. Owns the open file.
public struct JournalScan: ~Copyable {
    /// What no honest line reaches: a header with a very large theme is some tens of KiB.
    public static let longestLine = 1 << 20
    private static let blockSize = 1 << 16

    public let path: FilePath
    private let file: FileDescriptor
    private let proof: JournalProof?
    private var reader = JournalReader()
    private var buffer: [UInt8] = []
    private var position = 0
    private var isAtEnd = false
    /// Of the file, taken from the disk so far.
    public private(set) var bytesRead: Int64 = 0

    /// `proof` is shown each line. Throws `Errno` when the file cannot be opened.
    public init(_ path: FilePath, proof: JournalProof? = nil) throws {
        self.path = path
        self.proof = proof
        file = try FileDescriptor.open(path, .readOnly)
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
                position = buffer.count
                guard rest.isEmpty else { return try reader.readLast(rest) }
                guard reader.linesRead > 0 else { throw JournalReader.noHeader }
                return nil
            }
            try fill()
        }
    }

    private mutating func fill() throws {
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
