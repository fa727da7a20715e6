import ArgumentParser
import ControlSocket
import FoundationEssentials
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
    /// Has thrumd play with a theme that it need not know. What it refuses is printed and becomes exit status 65.
    func use(_ theme: Theme) async throws {
        let request = Request(params: Request.Parameters(yaml: try theme.yaml()))
        _ = try await ask([UInt8](try JSONEncoder().encode(request)))
    }

    private struct Request: Encodable {
        struct Parameters: Encodable { var yaml: String }

        var jsonrpc = "2.0"
        var id = 1
        var method = "theme.load"
        var params: Parameters
    }
}
