import Files
import Glibc
import SystemPackage

/// Reads the files and folders by which the kernel and packages describe the machine, in /proc, /sys and /etc. What is not there, or may
/// not be read, is nil or empty.
enum KernelFiles {
    /// The most bytes that are read of a file.
    private static let largest = 1 << 18

    static func bytes(_ path: String) -> [UInt8]? { try? PlainFile.bytes(of: FilePath(path), atMost: largest) }

    static func text(_ path: String) -> String? { bytes(path).map { String(decoding: $0, as: UTF8.self) } }

    /// Returns the text without the white space at its ends.
    static func word(_ path: String) -> String? {
        text(path)?.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// Returns the names of what is in the folder, sorted.
    static func names(_ folder: String) -> [String] { ((try? FilePath(folder).names()) ?? []).map(\.string).sorted() }

    static func isThere(_ path: String) -> Bool { FilePath(path).isThere }

    /// Returns the path without symbolic links.
    static func resolved(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    /// Returns the processes whose program has one of `names`, by their numbers, in order.
    static func processes(named names: Set<String>) -> [(number: Int, name: String)] {
        Self.names("/proc").compactMap { Int($0) }.sorted().compactMap { number in
            word("/proc/\(number)/comm").flatMap { names.contains($0) ? (number, $0) : nil }
        }
    }
}
