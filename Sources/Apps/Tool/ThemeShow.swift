import ArgumentParser
import Fields
import Signals
import SoundFile
import SystemPackage
import ThemeFile

extension ThemeCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "What is in one: as a table, as a file to begin one's own from, as a picture, or to be heard.",
            discussion: """
                EXAMPLES
                  thrum theme show glass
                  thrum theme show glass --yaml > mine.yaml
                  thrum theme show mine.yaml --picture mine.svg --wav mine.wav
                  thrum theme show mine.yaml --chime ding --picture ding.svg
                  thrum theme show glass --picture - > glass.svg
                """)

        @Argument(help: ArgumentHelp("A theme's name, or a file.", valueName: "name|file.yaml"), completion: Completions.themes)
        var theme: FileArgument

        @Flag(help: "As a whole YAML file, with all that another leaves out.")
        var yaml = false

        @Flag(help: "As JSON, the way journals have it.")
        var json = false

        @Option(help: "Draw its tone over cards, and the notes of its chimes over time, into this SVG file; - for standard output.",
                completion: .file(extensions: ["svg"]))
        var picture: FileArgument?

        @Option(help: "Play its chimes, its textures and the whole course of its tone into this WAV file, 48 kHz, float.",
                completion: .file(extensions: ["wav"]))
        var wav: FileArgument?

        @Option(help: "Draw and play only this chime.", completion: Completions.chimes)
        var chime: String?

        @Flag(name: .shortAndLong, help: "Replace existing files.")
        var force = false

        @OptionGroup var library: Library

        func validate() throws {
            guard !(yaml && json) else { throw ValidationError("--yaml and --json: expected one of them") }
            if let picture, picture.isStandardStream, yaml || json || wav != nil {
                throw ValidationError("--picture -: expected none of --yaml, --json and --wav beside it")
            }
            guard chime == nil || picture != nil || wav != nil else {
                throw ValidationError("--chime: expected --picture or --wav with it")
            }
            guard picture == nil || picture != wav else { throw ValidationError("--picture and --wav: expected two files, found one") }
        }

        func run() throws {
            let (theme, source) = try library.find(theme)
            if let chime, theme.chimes[chime] == nil {
                let known = theme.chimes.keys.sorted()
                let hint = Spelling.hint(for: chime, among: known)
                throw failure("--chime: expected one of \(known.joined(separator: ", ")), found \"\(chime)\"\(hint)", .validationFailure)
            }
            if let picture { try draw(theme, picture.isStandardStream ? nil : picture.path, from: source) }
            if let wav { try play(theme, wav.path, from: source) }
            if yaml {
                print(try theme.yaml(), terminator: "")
            } else if json {
                print(try prettyJSON(theme))
            } else if picture == nil, wav == nil {
                print(theme.lines.joined(separator: "\n"))
            }
        }

        /// `path` nil: to standard output.
        private func draw(_ theme: Theme, _ path: FilePath?, from source: FilePath?) throws {
            let drawing = ThemeDrawing(theme, chime: chime).svg.utf8
            do {
                guard let path else {
                    try FileDescriptor.standardOutput.writeAll(drawing)
                    return
                }
                try create(path, from: source, replaces: force, advice: "") { _ = try $0.writeAll(drawing) }
                print(path.string)
            } catch let errno as Errno {
                throw failure("\(path?.string ?? "standard output"): \(errno)", Exit.inputOutput)
            }
        }

        private func play(_ theme: Theme, _ path: FilePath, from source: FilePath?) throws {
            let round = ThemeRound(theme, chime: chime)
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
