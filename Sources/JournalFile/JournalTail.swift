import Journal
import SystemPackage
import Units

/// Finds the length of a session without reading it: from the last whole line.
public enum JournalTail {
    /// The frame of the last line that can be read, and whether it is the end line; nil when there is none but the
    /// header. Reads no more of the file's end than it needs. Throws `Errno`.
    public static func lastFrame(of path: FilePath) throws -> (frame: Frame, isEnd: Bool)? {
        let file = try FileDescriptor.open(path, .readOnly)
        return try file.closeAfter {
            let size = try file.seek(offset: 0, from: .end)
            // Whatever a power cut left at the end may be long: look further back until a line is found.
            var reach: Int64 = 65_536
            while true {
                let found = try lastFrame(of: file, from: max(0, size - reach), to: size)
                if found != nil || reach >= size { return found }
                reach *= 4
            }
        }
    }

    private static func lastFrame(of file: FileDescriptor, from start: Int64, to end: Int64) throws
        -> (frame: Frame, isEnd: Bool)? {
        var bytes = [UInt8](repeating: 0, count: Int(end - start))
        var filled = 0
        while filled < bytes.count {
            let count = try bytes.withUnsafeMutableBytes { bytes in
                try file.read(fromAbsoluteOffset: start + Int64(filled),
                              into: UnsafeMutableRawBufferPointer(rebasing: bytes[filled...]))
            }
            guard count > 0 else { break }
            filled += count
        }
        for line in bytes[..<filled].split(separator: UInt8(ascii: "\n")).reversed() {
            switch JournalLine.decodeIfWhole(line) {
            case .event(_, let frame, _), .lapse(.lost, let frame): return (frame, false)
            case .end(_, let frame): return (frame, true)
            case .header, .lapse, nil: continue
            }
        }
        return nil
    }
}
