import ArgumentParser
import Files
import FoundationEssentials
import Signals
import SystemPackage
import ThemeFile

extension ThemeCommand {
    struct New: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "new",
            abstract: "Begin a theme of one's own: a file with every value of another, to change.",
            discussion: """
                The file goes into one's own folder of themes, $XDG_CONFIG_HOME/thrum/themes (or ~/.config/thrum/themes), where thrum and \
                one's own thrumd find it by its name.

                It has the other's values, and not its text. Comments are not kept, nor is the order of entries. Its instrument is the \
                other's, or what most notes of all chimes have in common; notes that differ say so themselves. A frequency that is a \
                note's is written by its name. To keep a file's own words, copy it.

                EXAMPLES
                  thrum theme new mine
                  thrum theme new quiet --from velvet
                  thrum theme new mine -o mine.yaml
                """)

        @Argument(help: "Its name: \(ThemeName.rule).")
        var name: String

        @Option(help: ArgumentHelp("The theme to begin with.", valueName: "name|file.yaml"), completion: Completions.themes)
        var from = FileArgument(argument: Theme.standard.name)

        @Option(name: .shortAndLong, help: "The file; - for standard output. (default: NAME.yaml in one's own folder of themes)",
                completion: .file(extensions: ["yaml"]))
        var output: FileArgument?

        @Flag(name: .shortAndLong, help: "Replace an existing file.")
        var force = false

        @OptionGroup var library: Library

        func validate() throws {
            guard ThemeName.isValid(name) else { throw ValidationError("expected \(ThemeName.rule), found \(name.debugDescription)") }
        }

        func run() throws {
            var (theme, source) = try library.find(from)
            let origin = theme.name
            theme.name = name
            let isPiped = output?.isStandardStream == true
            let path = try isPiped ? FilePath("\(name)\(ThemeLibrary.suffix)") : output?.path
                ?? ownFolder().appending("\(name)\(ThemeLibrary.suffix)")
            let text = Self.introduction(name, origin, path) + (try theme.yaml(from: library.written(source)))
            if isPiped { return Swift.print(text, terminator: "") }
            do {
                try create(path, from: source, replaces: force) { _ = try $0.writeAll(text.utf8) }
            } catch let errno as Errno {
                throw failure("\(path): \(errno)", Exit.inputOutput)
            }
            print(path.string)
        }

        /// Returns the user's own folder of themes. Makes the folder if it does not exist.
        private func ownFolder() throws -> FilePath {
            guard let folder = ThemeLibrary.ownFolder(ProcessInfo.processInfo.environment) else {
                throw failure("--output is needed, because neither XDG_CONFIG_HOME nor HOME names a folder", .validationFailure)
            }
            do {
                try folder.makeDirectories()
            } catch {
                throw failure("\(folder): cannot be made: \(error)", Exit.cannotCreate)
            }
            return folder
        }

        private static func introduction(_ name: String, _ origin: String, _ path: FilePath) -> String {
            """
            # \(name), begun from \(origin). What is as in the standard theme may be left out.
            # Frequencies are in hertz, or notes such as A4.
            #   what is wrong or odd in it:               thrum theme check \(path)
            #   its chimes and textures, to hear:         thrum theme show \(path) --wav \(name).wav
            #   the last session as it would have been:   thrum render newest --theme \(path)
            #   thrumd plays it, each time it is saved:   thrum theme watch \(path)

            """
        }
    }
}
