import ArgumentParser
import Escaping
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
