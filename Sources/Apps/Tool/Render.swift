import ArgumentParser
import Journal
import Offline
import SoundFile
import SystemPackage
import Units

struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Render sessions to sound files.",
        discussion: """
            A file has exactly as many frames as its session. WAV and FLAC have the same samples on every run and machine. A file appears \
            under its name only when it is whole; a WAV above 4 GiB is an RF64.

            The name of the file says what it is: .wav, .flac, .ogg (Vorbis) or .opus. --into renders many sessions, each into a WAV of \
            its name. Files that are there already stay as they are, so a run that was interrupted goes on where it was. A session that \
            cannot be rendered is named, and the others are rendered; then the exit status is 65.

            EXAMPLES
              thrum render newest
              thrum render session.jsonl -o loud.flac --bits 24 --channels 2
              thrum render session.jsonl -o - | aplay
              thrum render /var/lib/thrum/sessions/*.jsonl --into ~/sessions
            """)

    @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
    var sessions: [SessionArgument]

    @Option(name: .shortAndLong, help: "The sound file; - for a WAV on standard output. (default: the session's name with .wav)")
    var output: FileArgument?

    @Option(help: "Render each session into this directory, which is made if need be.", completion: .directory)
    var into: FileArgument?

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

    @OptionGroup var rules: RulesOption

    @OptionGroup var folder: SessionsOption

    @Flag(name: .shortAndLong, help: "Replace existing files.")
    var force = false

    func validate() throws {
        guard into == nil || output == nil else {
            throw ValidationError("--into: expected none beside --output, found \(into.map(\.description) ?? "")")
        }
        guard into != nil || sessions.count == 1 else {
            throw ValidationError("expected one session, or --into and a directory for them, found \(sessions.count) sessions")
        }
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

    /// What the output's name asks for. Throws a `ValidationError` if nobody knows such files.
    private var container: SoundFileContainer {
        get throws {
            guard let output, !output.isStandardStream, let word = output.path.extension else { return .wav }
            guard let container = SoundFileContainer(rawValue: word.lowercased()) else {
                let known = SoundFileContainer.allCases.map { ".\($0.rawValue)" }.joined(separator: ", ")
                throw ValidationError("--output: expected a name that ends in one of \(known), found \(output)")
            }
            return container
        }
    }

    func run() throws {
        let sessions = try self.sessions.map { try $0.file(in: folder.path) }
        if let into {
            try RenderBatch(sessions, into: into.path, try options, replaces: force).run()
        } else {
            try render(sessions[0])
        }
    }

    private var options: Rendering.Options {
        get throws {
            var options = Rendering.Options(Pieces.current.all)
            options.rules = rules.forCues
            options.container = try container
            options.format = bits ?? .pcm16
            options.rate = rate.flatMap { SampleRate($0) }
            options.channels = haptics ? .interleaved : channels == 2 ? .doubled : .mono
            options.dither = dither
            return options
        }
    }

    private func render(_ session: SessionFile) throws {
        do {
            // Opened first: a journal that is not there is the more useful complaint.
            try FileDescriptor.open(session.path, .readOnly).close()
            if output?.isStandardStream == true {
                // What was written to a pipe cannot be taken back: the whole journal is checked before the first byte.
                try Rendering.check(session.path, by: rules.forCues, Pieces.current.all)
                report(try render(session, to: .standardOutput), of: session, name: nil)
            } else {
                guard let path = output?.path ?? session.output(extension: SoundFileContainer.wav.rawValue) else {
                    throw failure("--output is needed, because \(session) has no name", .validationFailure)
                }
                let result = try create(path, from: session.path, replaces: force) { try render(session, to: $0) }
                report(result, of: session, name: path.string)
            }
        } catch let fault as JournalFault {
            throw failure(fault.description(file: session.name), Exit.data)
        } catch let error as SoundFileError {
            throw failure("\(output?.description ?? "the WAV"): \(error)", Exit.inputOutput)
        } catch let errno as Errno {
            throw failure("\(session): \(errno)", Exit.noInput)
        }
    }

    private func render(_ session: SessionFile, to output: FileDescriptor) throws -> Rendering.Result {
        let bar = ProgressBar("rendering")
        return try Rendering.render(session.path, to: output, try options) { bar.show($0) }
    }

    private func report(_ result: Rendering.Result, of session: SessionFile, name: String?) {
        result.warnings(of: session).forEach(warn)
        // Standard output is the file's when it goes there.
        if let name { print(Report.lines(result, name: name).joined(separator: "\n")) }
    }
}

extension SampleFormat: ExpressibleByArgument {}

extension Rendering.Result {
    /// What whoever listens to it should know.
    func warnings(of session: SessionFile) -> [String] {
        var warnings: [String] = []
        if let cutLine { warnings.append("\(session):\(cutLine): warning: the session was cut off here; rendered up to the cut") }
        if let changedLine { warnings.append(JournalIntegrity.warning(session, line: changedLine)) }
        if let loss {
            warnings.append("\(session): warning: \(loss.entries) entries are missing, the first of them at "
                + "\(Report.fixed(loss.from.rawValue, 3)) s: from there this is not what was heard")
        }
        return warnings + missingFiles.map { "\(session): warning: \($0) cannot be read, and is not heard" }
    }
}
