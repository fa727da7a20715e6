import ArgumentParser
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
    writeToStandardError(message.split(separator: "\n", omittingEmptySubsequences: false).map { "thrum: \($0)\n" }.joined())
}

/// What cannot be written there cannot be reported anywhere.
func writeToStandardError(_ text: String) { _ = try? FileDescriptor.standardError.writeAll(text.utf8) }
