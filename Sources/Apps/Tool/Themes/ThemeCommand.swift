import ArgumentParser
import Fields
import FoundationEssentials
import PatternFile
import Signals
import SystemPackage
import ThemeFile
import YAML

struct ThemeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "theme",
        abstract: "Themes: which there are, what is in one, whether a file is good, and which thrumd plays.",
        subcommands: [List.self, Show.self, New.self, Check.self, Use.self, Watch.self])

    /// The option that adds a folder of themes.
    struct Library: ParsableArguments {
        @Option(help: "A folder of themes beside the usual ones; those in it come first.", completion: .directory)
        var themes: FileArgument?

        func read() -> ThemeLibrary {
            let folders = ThemeLibrary.folders(ProcessInfo.processInfo.environment, extra: themes?.path)
            return ThemeLibrary(folders) { try PatternFile.read($0).pattern }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List themes, a line each, and one for each file that is wrong.",
            discussion: """
                They are looked for in /usr/share/thrum/themes (in a clone, in themes), /etc/thrum/themes, $XDG_CONFIG_HOME/thrum/themes \
                and the folder that --themes names; of two with the same name the last of these counts.

                EXAMPLES
                  thrum theme list
                  thrum theme list --themes ~/themes --json
                """)

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @OptionGroup var library: Library

        func run() throws {
            let library = library.read()
            if json {
                let problems = library.problems.map { ThemeReport.Problem(file: $0.file, line: $0.line, problem: "\($0.fault)") }
                return print(try JSONReport.text(ThemeReport.Library(themes: library.entries.map { ThemeReport($0) }, problems: problems)))
            }
            for entry in library.entries { print(ThemeReport(entry).line) }
            for problem in library.problems { print("WRONG  \(problem)") }
        }
    }
}

extension ThemeCommand.Library {
    /// Returns the theme called `word`, and its file if it has one. `word` is first taken as a theme's name, and then as a file's; with a
    /// slash it always means a file. If the theme is faulty or missing, that is printed and becomes an exit status.
    func find(_ word: FileArgument) throws -> (theme: Theme, file: FilePath?) {
        let isPath = word.word.contains("/")
        let library = isPath ? nil : read()
        if let entry = library?[word.word] { return (entry.theme, entry.file) }
        let path = word.path
        do {
            return (try ThemeFile(path) { try PatternFile.read($0).pattern }.theme, path)
        } catch let problem as FileFault {
            throw failure("\(problem)", Exit.settings)
        } catch Errno.noSuchFileOrDirectory where word.isName {
            throw failure(library?.complaint(about: word) ?? "", Exit.noInput)
        } catch let errno as Errno {
            throw failure("\(path): \(errno)", Exit.noInput)
        }
    }

    /// Returns the contents of a theme's file, which `find` has returned; nil where `file` is nil, because the theme has no file.
    func written(_ file: FilePath?) throws -> ThemeFile? { try file.map { try ThemeFile($0) { try PatternFile.read($0).pattern } } }
}

extension FileArgument {
    /// Whether the word can be the name of a theme, because it is not a path.
    var isName: Bool { !ThemeLibrary.isFile(word) }
}

extension ThemeLibrary {
    /// Returns an error message: there is no theme called `word`, and these are the themes that exist.
    func complaint(about word: FileArgument) -> String {
        "\(word): expected one of \(names.joined(separator: ", ")), or a file" + Spelling.hint(for: word.word, among: names)
            + problems.map { "\n\($0)" }.joined()
    }
}
