import Glibc
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
        let bytes = try file.closeAfter {
            var bytes: [UInt8] = []
            var piece = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
                guard count > 0 else { return bytes }
                bytes += piece[..<count]
                guard bytes.count <= longest else { throw Fault(field: "", expected: "at most 1 MiB") }
            }
        }
        return try AHAP(bytes) { name in
            // Relative to the file; and whole, since a journal keeps it.
            let sound = FilePath(absolute(path.removingLastComponent().string)).pushing(FilePath(name)).lexicallyNormalized()
            return access(sound.string, R_OK) == 0 ? sound.string : nil
        }
    }

    private static func absolute(_ folder: String) -> String {
        guard let resolved = realpath(folder.isEmpty ? "." : folder, nil) else { return folder }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
