import CLinux
import Escaping
import FoundationEssentials
import Glibc
import SystemPackage

/// Standard output whose errors of writing are noticed. Swift's `print` buffers its output and ignores errors.
enum StandardOutput {
    /// Checks, when the program ends, that its output was written. If not, because a disk is full or a pipe closed, it says so and
    /// exits with status 74.
    static func checkAtExit() {
        atexit {
            guard !standardOutputIsWritten() else { return }
            warn("standard output: cannot be written")
            _exit(Exit.inputOutput.rawValue)
        }
    }

    /// Writes `line`, of JSON or of words, and a newline at once, also through a pipe. Ends the program where the pipe's reader has gone.
    /// Throws `Errno`.
    static func write(line: [UInt8]) throws {
        let isPlain = line.allSatisfy { 0x20..<0x7F ~= $0 }
        let line = isPlain ? line : Array(String(decoding: line, as: UTF8.self).printableJSON.utf8)
        do {
            _ = try FileDescriptor.standardOutput.writeAll(line + [UInt8(ascii: "\n")])
        } catch Errno.brokenPipe {
            HeldSignal.obey(SIGPIPE)
        }
    }
}

/// Prints lines for people; in this room it takes the place of Swift's own `print`. What a terminal would obey shows as `·`. `Swift.print`
/// is for files (a theme, a configuration) and for colours.
func print(_ text: String, terminator: String = "\n") { Swift.print(text.printableLines, terminator: terminator) }

/// Reports as JSON for scripts.
enum JSONReport {
    static func text(_ report: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(report), as: UTF8.self).printableJSON
    }

    /// Returns `report` as one line, with its keys sorted.
    static func line(_ report: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(report), as: UTF8.self)
    }
}
