import Journal
import SystemPackage
import Units

/// Finds the length of a session without reading it: from the last whole line.
public enum JournalTail {
    private static let blockSize: Int64 = 1 << 16

    /// The frame of the last line that can be read, and why the session ended if it is the end line; nil when there is none but the
    /// header. Reads no more of the file's end than it needs, and holds no more than one line and a block. It does not look beyond a
    /// whole line that `JournalScan` refuses, one that is too long among them. Throws `Errno`.
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

    private static func bytes(of file: FileDescriptor, from start: Int64, count: Int) throws -> [UInt8] {
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
