import ArgumentParser
import Experience
import Fields
import Signals
import SoundFile
import SystemPackage

extension ThemeCommand {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show what is in a theme: as a table, as a file to begin one's own from, as a picture, or to be heard.",
            discussion: """
                EXAMPLES
                  thrum theme show glass
                  thrum theme show glass --yaml > mine.yaml
                  thrum theme show mine.yaml --picture mine.svg --wav mine.wav
                  thrum theme show mine.yaml --chime ding --picture ding.png
                  thrum theme show mine.yaml --experience unhooked --picture pet.svg
                  thrum theme show mine.yaml --tone --wav tone.wav
                  thrum theme show mine.yaml --texture purr-healthy --wav purr.wav
                  thrum theme show glass --picture - > glass.svg
                """)

        @Argument(help: ArgumentHelp("A theme's name, or a file.", valueName: "name|file.yaml"), completion: Completions.themes)
        var theme: FileArgument

        @Flag(help: "As a whole YAML file, with all that another leaves out.")
        var yaml = false

        @Flag(help: "As JSON, the way journals have it.")
        var json = false

        @Option(help: """
                    Draw its tone over cards, the notes of its chimes and the waveforms of its textures over time, into this file, .svg \
                    or .png; - for an SVG on standard output. A PNG needs rsvg-convert (librsvg2-bin).
                    """, completion: .file(extensions: PictureFormat.allCases.map(\.rawValue)))
        var picture: FileArgument?

        @Option(help: "Play its chimes, its textures and the whole course of its tone into this WAV file, 48 kHz, float.",
                completion: .file(extensions: ["wav"]))
        var wav: FileArgument?

        @Option(help: """
                    Show, draw and play only what this piece asks of a theme, and the tone: \
                    \(Self.pieces.map(\.name).joined(separator: ", ")).
                    """)
        var experience: String?

        /// The pieces that need chimes, textures or patterns from a theme.
        private static var pieces: [Declaration] {
            Pieces.current.all.declarations.filter { !($0.chimes + $0.textures + $0.haptics).isEmpty }
        }

        @Option(help: "Draw and play only this chime.", completion: Completions.chimes)
        var chime: String?

        @Option(help: "Draw and play only this texture.", completion: Completions.textures)
        var texture: String?

        @Flag(help: "Draw and play only the tone.")
        var tone = false

        @Flag(name: .shortAndLong, help: "Replace existing files.")
        var force = false

        @OptionGroup var library: Library

        func validate() throws {
            guard !(yaml && json) else { throw ValidationError("--yaml and --json: expected one of them") }
            if let picture, picture.isStandardStream, yaml || json || wav != nil {
                throw ValidationError("--picture -: expected none of --yaml, --json and --wav beside it")
            }
            guard experience == nil || !(yaml || json) else {
                throw ValidationError("--experience: expected neither --yaml nor --json, which are of the whole theme")
            }
            guard parts.count <= 1 else {
                throw ValidationError("\(parts.map(\.option).joined(separator: " and ")): expected one of them")
            }
            if let option = parts.first?.option {
                guard picture != nil || wav != nil else { throw ValidationError("\(option): expected --picture or --wav with it") }
            }
            guard picture == nil || picture != wav else { throw ValidationError("--picture and --wav: expected two files, found one") }
            _ = try PictureFormat(of: picture, option: "--picture")
        }

        /// The parts of the theme that the options select, with their options. More than one is refused when the command is validated.
        private var parts: [(option: String, part: ThemePart)] {
            var parts: [(option: String, part: ThemePart)] = []
            if let chime { parts.append(("--chime", .chime(chime))) }
            if let texture { parts.append(("--texture", .texture(texture))) }
            if tone { parts.append(("--tone", .tone)) }
            return parts
        }

        func run() throws {
            let (whole, source) = try library.find(theme)
            let theme = try experience.map { whole.part(playedBy: try piece($0)) } ?? whole
            if let chime { try check(chime, "--chime", theme.chimes.keys.sorted()) }
            if let texture { try check(texture, "--texture", theme.textures.keys.sorted()) }
            if let picture { try draw(theme, into: picture, from: source) }
            if let wav { try play(theme, wav.path, from: source) }
            if yaml {
                Swift.print(try theme.yaml(from: library.written(source)), terminator: "")
            } else if json {
                print(try JSONReport.text(theme))
            } else if picture == nil, wav == nil {
                print(theme.lines.joined(separator: "\n"))
            }
        }

        private func piece(_ name: String) throws -> Declaration {
            if let piece = Self.pieces.first(where: { $0.name == name }) { return piece }
            throw refusal(name, "--experience", Self.pieces.map(\.name))
        }

        private func check(_ name: String, _ option: String, _ known: [String]) throws {
            guard known.contains(name) else { throw refusal(name, option, known) }
        }

        private func refusal(_ name: String, _ option: String, _ known: [String]) -> any Error {
            let hint = Spelling.hint(for: name, among: known)
            return failure("\(option): expected one of \(known.joined(separator: ", ")), found \"\(name)\"\(hint)", .validationFailure)
        }

        private func draw(_ theme: Theme, into picture: FileArgument, from source: FilePath?) throws {
            let format = try PictureFormat(of: picture, option: "--picture")
            let drawing = ThemeDrawing(theme, part: parts.first?.part).svg
            do {
                guard !picture.isStandardStream else { return try format.write(drawing, to: .standardOutput) }
                try create(picture.path, from: source, replaces: force, advice: "") { try format.write(drawing, to: $0) }
                print(picture.path.string)
            } catch let errno as Errno {
                throw failure("\(picture.isStandardStream ? "standard output" : picture.description): \(errno)", Exit.inputOutput)
            }
        }

        private func play(_ theme: Theme, _ path: FilePath, from source: FilePath?) throws {
            let round = ThemeRound(theme, part: parts.first?.part)
            do {
                try create(path, from: source, replaces: force, advice: "") { try round.write(to: $0) }
            } catch let error as SoundFileError {
                throw failure("\(path): \(error)", Exit.inputOutput)
            }
            print(path.string)
            for (name, start) in round.starts { print("  \(start.rawValue.fixed(3)) s  \(name)") }
        }
    }
}

/// A part of a theme that is drawn or played alone.
enum ThemePart: Equatable {
    case chime(String)
    case texture(String)
    case tone
}

extension Theme {
    /// Returns the theme with only those chimes, textures and haptic patterns that `piece` plays. A pattern with the name of a chime or
    /// texture is played together with it, and so remains. The tone is unchanged.
    func part(playedBy piece: Declaration) -> Theme {
        var part = self
        part.chimes = chimes.filter { piece.chimes.contains($0.key) }
        part.textures = textures.filter { piece.textures.contains($0.key) }
        part.haptics = haptics.filter { (piece.haptics + piece.chimes + piece.textures).contains($0.key) }
        return part
    }
}
