import ArgumentParser
import ControlSocket
import Files
import Glibc
import Processes
import Signals
import SystemPackage
import ThemeFile
import Wire
import YAML

extension ThemeCommand {
    struct Use: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "use",
            abstract: "Have thrumd play with another theme from now on.",
            discussion: """
                By its name, a theme that thrumd found when it started or was last told to read its settings again (thrum reload). By its \
                path, with a / or .yaml, any file: this program reads it, and thrumd is told the whole theme. thrumd forgets such a theme \
                when it stops.

                EXAMPLES
                  thrum theme use glass
                  thrum theme use ./mine.yaml
                """)

        @Argument(help: ArgumentHelp("Its name, as `thrum theme list` tells, or its file.", valueName: "name|file.yaml"),
                  completion: Completions.themes)
        var theme: FileArgument

        @OptionGroup var daemon: Daemon

        func validate() throws {
            guard !theme.isName || ThemeName.isValid(theme.word) else {
                throw ValidationError("expected \(ThemeName.rule), or a file, found \(theme.word.debugDescription)")
            }
        }

        func run() async throws {
            guard !theme.isName else {
                let receipt: Receipt = try await daemon.converse { [name = theme.word] in
                    try await $0.result(of: "theme.set", ["name=\(name)"])
                }
                return print(theme.word + (receipt.frame.map { ", from frame \($0) on" } ?? ""))
            }
            let checked: CheckedTheme
            do {
                checked = try CheckedTheme(theme)
            } catch let problem as FileFault {
                throw failure("\(problem)", Exit.settings)
            } catch let errno as Errno {
                throw failure("\(theme): \(errno)", Exit.noInput)
            }
            checked.warn()
            let own = checked.file.theme
            try await daemon.converse { try await $0.use(own) }
            print("\(theme): playing: \(own.name)")
        }
    }
}

extension ControlClient.Exchange {
    /// Makes thrumd play with a theme, which need not be in thrumd's folders. If thrumd refuses it, prints that and throws exit status 65.
    func use(_ theme: Theme) async throws {
        let _: Receipt = try await result(of: "theme.load", [Message.pair("yaml", theme.yaml())])
    }
}

extension ThemeCommand {
    struct Watch: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "watch",
            abstract: "Have thrumd play with a theme's file, and with each version of it that is saved.",
            discussion: """
                Each time that the file is saved it is checked. A good one is heard at once, wherever the file is. What is wrong with a \
                bad one is printed with its line, and thrumd goes on with the one before. With --chime each version is heard by one of \
                its chimes.

                It lasts until it is interrupted. thrumd keeps the last good version until another theme is chosen, or it stops.

                EXAMPLES
                  thrum theme watch mine.yaml
                  thrum theme watch mine.yaml --chime ding
                """)

        @Argument(help: "The theme's file.", completion: .file(extensions: ["yaml"]))
        var file: FileArgument

        @Option(help: "Play this chime of it each time.", completion: Completions.chimes)
        var chime: String?

        @OptionGroup var daemon: Daemon

        func run() async throws {
            Interruption.endsProgram()
            guard FileStamp(file.path) != nil else { throw failure("\(file): \(Errno(rawValue: errno))", Exit.noInput) }
            try await daemon.converse { exchange in
                var tried: FileStamp?
                while true {
                    let now = FileStamp(file.path)
                    try await Task.sleep(for: .milliseconds(tried == nil ? 1 : 125))
                    // The file is read only when it does not change at the moment, and exists: editors may remove it between two steps of
                    // saving.
                    guard let now, now != tried, now == FileStamp(file.path) else { continue }
                    tried = now
                    try await play(exchange)
                }
            }
        }

        private func play(_ exchange: ControlClient.Exchange) async throws {
            do {
                let checked = try CheckedTheme(file)
                checked.warn()
                try await exchange.use(checked.file.theme)
                try StandardOutput.write(line: Array("\(file): playing: \(checked.file.theme.name)".utf8))
                if let chime { let _: Receipt = try await exchange.result(of: "chime.play", ["name=\(chime)"]) }
            } catch let problem as FileFault {
                warn("\(problem)")
            } catch let errno as Errno {
                warn("\(file): \(errno)")
            } catch let exit as ExitCode where exit == Exit.data {
                // thrumd has refused the theme, and the reason has been printed.
            }
        }
    }
}

/// The inode, size and time of change of a file, which differ after somebody has written to the file or replaced it.
private struct FileStamp: Equatable {
    private let node: UInt64
    private let bytes: Int64
    private let seconds: Int
    private let nanoseconds: Int

    /// Reads the stamp of the file at `path`. Nil where it cannot be read; `errno` then has the reason.
    init?(_ path: FilePath) {
        guard let info = path.information else { return nil }
        (node, bytes) = (UInt64(info.st_ino), Int64(info.st_size))
        (seconds, nanoseconds) = (info.st_mtim.tv_sec, info.st_mtim.tv_nsec)
    }
}
