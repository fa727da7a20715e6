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
            let sound = absolute(path.removingLastComponent()).pushing(FilePath(name)).lexicallyNormalized()
            guard let text = String(validating: sound) else { return nil }
            return PlainFile.isReadable(text) ? text : nil
        }
    }

    private static func absolute(_ folder: FilePath) -> FilePath {
        let folder: FilePath = folder.isEmpty ? "." : folder
        guard let resolved = folder.withPlatformString({ realpath($0, nil) }) else { return folder }
        defer { free(resolved) }
        return FilePath(platformString: resolved)
    }
}
