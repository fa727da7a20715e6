import Haptics
import Signals
import SystemPackage

/// AHAP files on disk.
public enum PatternFile {
    /// What patterns' files are called, but for their name.
    public static let suffix = ".ahap"

    private static let longest = 1 << 20

    /// Throws `Fault` for what is wrong with it, and `Errno`.
    public static func read(_ path: FilePath) throws -> AHAP {
        let file = try FileDescriptor.open(path, .readOnly)
        return try AHAP(try file.closeAfter {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
                guard count > 0 else { return bytes }
                bytes += piece[..<count]
                guard bytes.count <= longest else { throw Fault(field: "", expected: "at most 1 MiB") }
            }
        })
    }
}
