import ArgumentParser
import CLinux
import Escaping
import FoundationEssentials
import Glibc
import SystemPackage

/// Writes standard output so that errors are noticed. Swift's `print` buffers its output and ignores errors.
enum StandardOutput {
    /// Makes the program check at its end that its standard output was written. If that failed, because a disk is full or a pipe is closed,
    /// the program says so and exits with status 74.
    static func checkAtExit() {
        atexit {
            guard !standardOutputIsWritten() else { return }
            warn("standard output: cannot be written")
            _exit(Exit.inputOutput.rawValue)
        }
    }

    /// Writes `line`, JSON or plain text, and a newline, at once and without a buffer. Ends the program if it writes into a pipe that
    /// nobody reads any more. Throws `Errno`.
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

/// Prints lines for people; in this room it takes the place of Swift's own `print`. Characters that would control a terminal are shown as
/// `·`. `Swift.print` is used for files (a theme, a configuration) and for colours.
func print(_ text: String, terminator: String = "\n") { Swift.print(text.printableLines, terminator: terminator) }

/// Writes reports as JSON for scripts.
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

/// The exit statuses of sysexits.h that this tool uses.
enum Exit {
    static let data = ExitCode(65)
    static let noInput = ExitCode(66)
    static let unavailable = ExitCode(69)
    static let cannotCreate = ExitCode(73)
    static let inputOutput = ExitCode(74)
    static let settings = ExitCode(78)
}

/// Prints `message` to standard error and returns the status to throw.
func failure(_ message: String, _ exit: ExitCode) -> ExitCode {
    warn(message)
    return exit
}

/// Prints each line of `message` to standard error, after the program's name.
func warn(_ message: String) {
    let lines = message.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    writeToStandardError(lines.map { "thrum: \(String($0).printable)\n" }.joined())
}

/// Writes `text` to standard error. A failure to write cannot be reported anywhere.
func writeToStandardError(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

/// One line on standard error that each call overwrites. It is shown only where standard error is a terminal.
struct LiveLine: ~Copyable {
    private let isVisible = isatty(STDERR_FILENO) == 1

    func show(_ text: String) {
        if isVisible { writeToStandardError("\r\u{1B}[K\(text.printable)") }
    }

    deinit {
        if isVisible { writeToStandardError("\r\u{1B}[K") }
    }
}

/// Erases a bar or a live line, and prints a warning in its place. The bar or line appears again below when it is next shown.
func warnAboveBar(_ message: String) {
    if isatty(STDERR_FILENO) == 1 { writeToStandardError("\r\u{1B}[K") }
    warn(message)
}

/// A progress bar on standard error. It is shown only where standard error is a terminal.
struct ProgressBar: ~Copyable {
    private static let width = 40

    private let isVisible = isatty(STDERR_FILENO) == 1
    private let title: String

    init(_ title: String) { self.title = title }

    /// Shows the progress; `fraction` is from 0 to 1.
    func show(_ fraction: Double) {
        guard isVisible else { return }
        let full = Int(fraction * Double(Self.width))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
        writeToStandardError("\r\(title) \(bar) \(Int(fraction * 100)) %")
    }

    /// Erases the bar until it is shown again.
    func clear() {
        if isVisible { writeToStandardError("\r\u{1B}[K") }
    }

    deinit { clear() }
}
