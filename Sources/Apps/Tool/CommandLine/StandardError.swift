import ArgumentParser
import Escaping
import Glibc
import SystemPackage

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

/// Prints each line of `message` to standard error, with the program's name before it.
func warn(_ message: String) {
    let lines = message.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    writeToStandardError(lines.map { "thrum: \(String($0).printable)\n" }.joined())
}

/// Writes `text` to standard error. A failure to write cannot be reported anywhere.
func writeToStandardError(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

/// One line on standard error that is written over and over where that is a terminal, and not at all elsewhere.
struct LiveLine: ~Copyable {
    private let isVisible = isatty(STDERR_FILENO) == 1

    func show(_ text: String) {
        if isVisible { writeToStandardError("\r\u{1B}[K\(text.printable)") }
    }

    deinit {
        if isVisible { writeToStandardError("\r\u{1B}[K") }
    }
}

/// Prints a warning while a bar or a live line is shown, which is then drawn again below it.
func warnAboveBar(_ message: String) {
    if isatty(STDERR_FILENO) == 1 { writeToStandardError("\r\u{1B}[K") }
    warn(message)
}

/// A progress bar on standard error where that is a terminal, and nothing elsewhere.
struct ProgressBar: ~Copyable {
    private static let width = 40

    private let isVisible = isatty(STDERR_FILENO) == 1
    private let title: String

    init(_ title: String) { self.title = title }

    /// Shows how much is done; `part` is from 0 to 1.
    func show(_ part: Double) {
        guard isVisible else { return }
        let full = Int(part * Double(Self.width))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
        writeToStandardError("\r\(title) \(bar) \(Int(part * 100)) %")
    }

    /// Takes the bar away, until it is shown again.
    func clear() {
        if isVisible { writeToStandardError("\r\u{1B}[K") }
    }

    deinit { clear() }
}
