import Files
import Glibc
import SystemPackage

/// Reads the files and folders by which the kernel and packages describe the machine, in /proc, /sys and /etc. For a path that is missing
/// or may not be read, the functions return nil or nothing.
enum KernelFiles {
    /// The largest number of bytes that are read from a file.
    private static let largest = 1 << 18

    static func bytes(_ path: String) -> [UInt8]? { try? PlainFile.bytes(of: FilePath(path), atMost: largest) }

    static func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    /// Returns the file's text, with each stretch of white space replaced by one space and none at the ends.
    static func word(_ path: String) -> String? {
        text(path)?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns the sorted names of the entries of a folder.
    static func names(_ folder: String) -> [String] { ((try? FilePath(folder).names()) ?? []).map(\.string).sorted() }

    static func isThere(_ path: String) -> Bool { FilePath(path).isThere }

    /// Returns the path with symbolic links resolved.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the processes whose program has one of `names`, in the order of their numbers.
    static func processes(named names: Set<String>) -> [(number: Int, name: String)] {
        Self.names("/proc").compactMap { Int($0) }.sorted().compactMap { number in
            word("/proc/\(number)/comm").flatMap { names.contains($0) ? (number, $0) : nil }
        }
    }
}
