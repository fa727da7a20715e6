import ArgumentParser
import Escaping
import Glibc
import SystemPackage

/// Exit statuses of sysexits.h, the ones this tool uses.
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

/// A line for each of `message`.
func warn(_ message: String) {
    let lines = message.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    writeToStandardError(lines.map { "thrum: \(String($0).printable)\n" }.joined())
}

/// What cannot be written there cannot be reported anywhere.
func writeToStandardError(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }

/// One line on standard error that is written over and over when that is a terminal; nothing when it is not.
struct LiveLine: ~Copyable {
    private let isVisible = isatty(STDERR_FILENO) == 1

    func show(_ text: String) {
        if isVisible { writeToStandardError("\r\u{1B}[K\(text.printable)") }
    }

    deinit {
        if isVisible { writeToStandardError("\r\u{1B}[K") }
    }
}

/// A warning while a bar or a live line is shown, which is then drawn again below it.
func warnAboveBar(_ message: String) {
    if isatty(STDERR_FILENO) == 1 { writeToStandardError("\r\u{1B}[K") }
    warn(message)
}

/// A bar on standard error when that is a terminal, nothing when it is not.
struct ProgressBar: ~Copyable {
    private static let width = 40

    private let isVisible = isatty(STDERR_FILENO) == 1
    private let title: String

    init(_ title: String) { self.title = title }

    /// `part` is 0…1.
    func show(_ part: Double) {
        guard isVisible else { return }
        let full = Int(part * Double(Self.width))
        let bar = String(repeating: "█", count: full) + String(repeating: "░", count: Self.width - full)
        writeToStandardError("\r\(title) \(bar) \(Int(part * 100)) %")
    }

    /// Takes it away, until it is shown again.
    func clear() {
        if isVisible { writeToStandardError("\r\u{1B}[K") }
    }

    deinit { clear() }
}
