import ArgumentParser
import Experience
import Offline
import SoundFile
import SystemPackage
import Units

struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "render",
        abstract: "Render sessions to sound files.",
        discussion: """
            A file has exactly as many frames as its session. WAV and FLAC have the same samples on every run and machine. A file appears \
            under its name only when it is whole; a WAV above 4 GiB is an RF64.

            The name of the file says what it is: .wav, .flac, .ogg (Vorbis) or .opus. --into renders many sessions, each into a file of \
            its name; --format says of which kind. Files that are there already stay as they are, so a run that was interrupted goes on \
            where it was. A session that cannot be rendered is named, and the others are rendered; then the exit status is 65.

            --from, --to and --mark render a part of a session. All before it is played up in silence, so the part has the samples that it \
            has in the whole.

            EXAMPLES
              thrum render newest
              thrum render newest --from 1:30 --to 1:45.5 -o unlock.wav
              thrum render newest --mark "she laughs" -o laugh.flac
              thrum render newest --theme mine.yaml -o mine.wav
              thrum render session.jsonl -o loud.flac --bits 24 --channels 2
              thrum render session.jsonl -o - | aplay
              thrum render /var/lib/thrum/sessions/*.jsonl --into ~/sessions --format flac
            """)

    @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
    var sessions: [SessionArgument]

    @Option(name: .shortAndLong, help: "The sound file; - for a WAV on standard output. (default: the session's name)")
    var output: FileArgument?

    @Option(help: "Render each session into this directory, which is made if need be.", completion: .directory)
    var into: FileArgument?

    @Option(help: "The kind of file, where --output names none: wav, flac, ogg or opus. (default: wav)")
    var format: SoundFileContainer?

    @Option(help: "Sample format: 16, 24 or float. (default: 16)")
    var bits: SampleFormat?

    @Option(help: "Sample rate in Hz, 8000 to 192000. (default: the session's)")
    var rate: Int?

    @Option(help: "1 or 2; both channels are the same.")
    var channels = 1

    @Flag(help: "Two channels: the sound, and what haptic patterns have a transducer do.")
    var haptics = false

    @Flag(help: "Add triangular dither (TPDF) of one step. Ignored for float.")
    var dither = false

    @Option(help: ArgumentHelp("Sound as if the session had been played in this theme from beginning to end.",
                               valueName: "name|file.yaml"),
            completion: .file(extensions: ["yaml"]))
    var theme: FileArgument?

    @OptionGroup var library: ThemeCommand.Library

    @OptionGroup var part: CutOption

    @OptionGroup var rules: RulesOption

    @OptionGroup var folder: SessionsOption

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    func validate() throws {
        try checkOutputOptions(of: sessions.count, into: into, output: output, format: format?.rawValue)
        if let rate, SampleRate(rate) == nil {
            throw ValidationError("--rate: expected a number from 8000 to 192000 (Hz), found \(rate)")
        }
        guard !haptics || channels == 1 else {
            throw ValidationError("--channels: expected none beside --haptics, which makes two of its own, found \(channels)")
        }
        guard channels == 1 || channels == 2 else {
            throw ValidationError("--channels: expected 1 or 2, found \(channels)")
        }
        let container = try self.container
        if let bits, !container.formats.contains(bits) {
            let known = container.formats.map(\.rawValue)
            throw ValidationError("--bits: expected \(known.isEmpty ? "none" : known.joined(separator: " or ")) for a file of kind "
                + ".\(container.rawValue), found \(bits.rawValue)")
        }
    }

    /// The kind of file that --format or the output's name asks for. Throws a `ValidationError` for an unknown kind.
    private var container: SoundFileContainer {
        get throws {
            guard let output, !output.isStandardStream, let word = output.path.extension else { return format ?? .wav }
            guard let container = SoundFileContainer(rawValue: word.lowercased()) else {
                let known = SoundFileContainer.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
                throw ValidationError("--output: expected a name that ends in one of \(known), found \(output)")
            }
            return container
        }
    }

    func run() throws {
        guard let into else { return try render(try sessions[0].file(in: folder.path)) }
        let (found, missing) = try sessions.found(in: folder.path)
        found.forEach { rules.noteModel(of: $0) }
        try RenderBatch(found, into: into.path, try options, part: part.nameSuffix, replaces: force).run()
        if let missing { throw missing }
    }

    private var replayRules: ReplayRules {
        get throws {
            guard let theme else { return rules.forCues }
            return .themed(try library.find(theme).theme, today: rules.rules == .today).predicting(by: rules.replayModel)
        }
    }

    private var options: Rendering.Options {
        get throws {
            var options = Rendering.Options(Pieces.current.all)
            options.rules = try replayRules
            options.container = try container
            options.format = bits ?? .pcm16
            options.rate = rate.flatMap { SampleRate($0) }
            options.cut = part.cut
            options.channels = haptics ? .interleaved : channels == 2 ? .doubled : .mono
            options.dither = dither
            return options
        }
    }

    private func render(_ session: SessionFile) throws {
        rules.noteModel(of: session)
        do {
            try session.reading {
                // Opened first: a journal that is not there is the more useful complaint.
                try FileDescriptor.open(session.path, .readOnly).close()
                if output?.isStandardStream == true {
                    // What was written to a pipe cannot be taken back: the whole journal is checked before the first byte.
                    try Rendering.check(session.path, by: try replayRules, cut: part.cut, Pieces.current.all)
                    report(try render(session, to: .standardOutput), of: session, name: nil)
                } else {
                    let kind = try container
                    guard let path = output?.path ?? session.output(extension: kind.rawValue, part: part.nameSuffix) else {
                        throw failure("--output is needed, because \(session) has no name", .validationFailure)
                    }
                    let result = try create(path, from: session.path, replaces: force) { try render(session, to: $0) }
                    report(result, of: session, name: path.string)
                }
            }
        } catch let error as SoundFileError {
            throw failure("\(output?.description ?? "the sound file"): \(error)", Exit.inputOutput)
        }
    }

    private func render(_ session: SessionFile, to output: FileDescriptor) throws -> Rendering.Result {
        let bar = ProgressBar("rendering")
        return try Rendering.render(session.path, to: output, try options) { bar.show($0) }
    }

    private func report(_ result: Rendering.Result, of session: SessionFile, name: String?) {
        result.notes.warnings(of: session).forEach(warn)
        // Standard output is the file's when it goes there.
        if let name { print(result.lines(name: name).joined(separator: "\n")) }
    }
}

extension SampleFormat: ExpressibleByArgument {}

extension SoundFileContainer: ExpressibleByArgument {}

extension Rendering.Result {
    /// The result of the rendering in a few lines for people. `name` is that of the session.
    func lines(name: String) -> [String] {
        var lines = [
            name,
            "  duration  \(rate.seconds(in: summary.frames).clock(3)), \(summary.frames.rawValue) frames at \(rate.hertz) Hz",
            "  peak      " + (summary.peak.decibels.map { "\($0.rawValue.fixed(1)) dBFS" } ?? "silent"),
        ]
        if let start = summary.startPitch, let end = summary.endPitch {
            lines.append("  tone      \(start.rawValue.fixed(1)) Hz at first, \(end.rawValue.fixed(1)) Hz at last, "
                + "sounded \(summary.touches) \(summary.touches == 1 ? "time" : "times")")
        }
        if !summary.chimes.isEmpty {
            let chimes = summary.chimes.sorted { $0.key < $1.key }.map { "\($0.key) × \($0.value)" }
            lines.append("  chimes    " + chimes.joined(separator: ", "))
        }
        if limitedFrames > 0 { lines.append("  limited   \(limitedFrames) samples held under the ceiling") }
        return lines
    }

    /// The result of the rendering in one line for people: length and peak. `name` is that of the session.
    func line(name: String) -> String {
        "\(name)  \(rate.seconds(in: summary.frames).clock(1)), "
            + (summary.peak.decibels.map { "peak \($0.rawValue.fixed(1)) dBFS" } ?? "silent")
    }
}
