import ArgumentParser
import ControlSocket
import Glibc
import Signals
import SystemPackage
import Wire

extension HouseholdCommand {
    struct Secret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "secret",
            abstract: "Give a household a secret, which it says before it enters and spends, or take it away.",
            discussion: """
                The secret is the first line of standard input, so that no list of processes shows it. thrumd keeps a slow hash of it, and \
                not the secret itself. Who is there in the household's name has to enter again.

                EXAMPLES
                  thrum household secret anna
                  thrum household secret anna --remove
                """)

        @Argument(help: "The household's name.")
        var name: String

        @Flag(help: "The household has no secret from now on.")
        var remove = false

        @OptionGroup var daemon: Daemon

        func run() async throws {
            var pairs = [try Message.pair("household", name)]
            if !remove { pairs.append(try Message.pair("secret", try secret())) }
            let receipt: Receipt = try await daemon.converse { [pairs] in try await $0.result(of: "household.secret", pairs) }
            let caveat = receipt.notKept.map { ", but only until thrumd starts again: \($0)" } ?? ""
            print("\(name) has \(remove ? "no" : "another") secret" + caveat)
        }

        private func secret() throws -> String {
            let line = HiddenInput.line(asking: "The secret of \(name): ")
            guard let line, !line.isEmpty else { throw failure("expected the secret as a line of standard input, found none", Exit.data) }
            guard line.count <= HouseholdSecret.longest else {
                throw failure("expected a secret of at most \(HouseholdSecret.longest) characters", Exit.data)
            }
            return line
        }
    }
}

/// A line that a terminal does not show while it is typed.
private enum HiddenInput {
    /// The first line of standard input without its end; nil where there is none. `question` is for a terminal only.
    static func line(asking question: String) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() }
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return readLine() }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            writeToStandardError("\n")
        }
        writeToStandardError(question)
        return readLine()
    }
}
