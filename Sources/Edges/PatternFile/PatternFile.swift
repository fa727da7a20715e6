import Files
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
        try AHAP(PlainFile.bytes(of: path, atMost: longest)) { name in
            // Relative to the file; and whole, since a journal keeps it.
            let sound = FilePath(absolute(path.removingLastComponent().string)).pushing(FilePath(name)).lexicallyNormalized()
            return PlainFile.isReadable(sound.string) ? sound.string : nil
        }
    }

    private static func absolute(_ folder: String) -> String {
        guard let resolved = realpath(folder.isEmpty ? "." : folder, nil) else { return folder }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}
