import ArgumentParser
import PatternFile
import Signals
import SoundFile
import SystemPackage
import ThemeFile
import YAML

extension ThemeCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "What is in one: as a table, as a file to begin one's own from, as a picture, or to be heard.",
            discussion: """
                EXAMPLES
                  thrum theme show glass
                  thrum theme show glass --yaml > mine.yaml
                  thrum theme show mine.yaml --svg mine.svg --wav mine.wav
                """)

        @Argument(help: ArgumentHelp("A theme's name, or a file.", valueName: "name|file.yaml"), completion: .file(extensions: ["yaml"]))
        var theme: FileArgument

        @Flag(help: "As a whole YAML file, with all that another leaves out.")
        var yaml = false

        @Flag(help: "As JSON, the way journals have it.")
        var json = false

        @Option(help: "Draw its tone over cards, and the notes of its chimes over time, into this SVG file.",
                completion: .file(extensions: ["svg"]))
        var svg: FileArgument?

        @Option(help: "Play its chimes one after the other into this WAV file, 48 kHz, float.", completion: .file(extensions: ["wav"]))
        var wav: FileArgument?

        @Flag(name: .shortAndLong, help: "Replace existing files.")
        var force = false

        @OptionGroup var library: Library

        func validate() throws {
            guard !(yaml && json) else { throw ValidationError("--yaml and --json: expected one of them") }
            guard svg == nil || svg != wav else { throw ValidationError("--svg and --wav: expected two files, found one") }
        }

        func run() throws {
            let (theme, source) = try read()
            if let svg { try draw(theme, svg.path, from: source) }
            if let wav { try play(theme, wav.path, from: source) }
            if yaml {
                print(try theme.yaml(), terminator: "")
            } else if json {
                print(try prettyJSON(theme))
            } else if svg == nil, wav == nil {
                print(theme.lines.joined(separator: "\n"))
            }
        }

        /// A name first: a file can be told from it by its folder.
        private func read() throws -> (Theme, FilePath?) {
            let isPath = theme.word.contains("/")
            let library = isPath ? nil : library.read()
            if let entry = library?[theme.word] { return (entry.theme, entry.file) }
            let path = theme.path
            do {
                return (try ThemeFile(path) { try PatternFile.read($0).pattern }.theme, path)
            } catch let problem as FileFault {
                throw failure("\(problem)", Exit.settings)
            } catch Errno.noSuchFileOrDirectory where !isPath && !theme.word.hasSuffix(ThemeLibrary.suffix) {
                let problems = library?.problems.map { "\n  \($0)" }.joined() ?? ""
                let names = library?.names.joined(separator: ", ") ?? ""
                throw failure("\(theme): expected one of \(names), or a file" + problems, Exit.noInput)
            } catch let errno as Errno {
                throw failure("\(path): \(errno)", Exit.noInput)
            }
        }

        private func draw(_ theme: Theme, _ path: FilePath, from source: FilePath?) throws {
            do {
                try create(path, from: source, replaces: force, advice: "") { _ = try $0.writeAll(ThemeDrawing(theme).svg.utf8) }
            } catch let errno as Errno {
                throw failure("\(path): \(errno)", Exit.inputOutput)
            }
            print(path.string)
        }

        private func play(_ theme: Theme, _ path: FilePath, from source: FilePath?) throws {
            let round = ThemeRound(theme)
            do {
                try create(path, from: source, replaces: force, advice: "") { try round.write(to: $0) }
            } catch let error as SoundFileError {
                throw failure("\(path): \(error)", Exit.inputOutput)
            }
            print(path.string)
            for (name, start) in round.starts { print("  \(Report.fixed(start.rawValue, 3)) s  \(name)") }
        }
    }
}
