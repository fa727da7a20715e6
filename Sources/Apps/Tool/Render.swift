import ArgumentParser
import Journal
import Offline
import SoundFile
import SystemPackage
import Units

struct Render: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Render a session's journal to a WAV file.",
        discussion: """
            The file has exactly as many frames as the session, and the same bits on every run and machine. It appears \
            under its name only when it is whole; above 4 GiB it is an RF64.

            EXAMPLES
              thrum render session.jsonl                    writes session.wav
              thrum render session.jsonl -o loud.wav --bits 24 --channels 2
              thrum render session.jsonl -o - | aplay
            """)

    @Argument(help: "The journal, a .jsonl file.", completion: .file(extensions: ["jsonl"]))
    var session: FileArgument

    @Option(name: .shortAndLong, help: "The WAV file; - for standard output. (default: the journal's name with .wav)")
    var output: FileArgument?

    @Option(help: "Sample format: 16, 24 or float.")
    var bits: SampleFormat = .pcm16

    @Option(help: "Sample rate in Hz, 8000 to 192000. (default: the session's)")
    var rate: Int?

    @Option(help: "1 or 2; both channels are the same.")
    var channels = 1

    @Flag(help: "Two channels: the sound, and what haptic patterns have a transducer do.")
    var haptics = false

    @Flag(help: "Add triangular dither (TPDF) of one step. Ignored for float.")
    var dither = false

    @OptionGroup var rules: RulesOption

    @Flag(name: .shortAndLong, help: "Replace an existing file.")
    var force = false

    func validate() throws {
        if let rate, SampleRate(rate) == nil {
            throw ValidationError("--rate: expected a number from 8000 to 192000 (Hz), found \(rate)")
        }
        guard !haptics || channels == 1 else {
            throw ValidationError("--channels: expected none beside --haptics, which makes two of its own, found \(channels)")
        }
        guard channels == 1 || channels == 2 else {
            throw ValidationError("--channels: expected 1 or 2, found \(channels)")
        }
    }

    func run() throws {
        let journal = session.path
        do {
            // Opened first: a journal that is not there is the more useful complaint.
            try FileDescriptor.open(journal, .readOnly).close()
            if output?.isStandardStream == true {
                // What was written to a pipe cannot be taken back: the whole journal is checked before the first byte.
                try Rendering.check(journal, by: rules.forCues, Pieces.current.all)
                report(try render(journal, to: .standardOutput), name: nil)
            } else {
                let path = output?.path ?? journal.renamed(extension: "wav")
                let result = try create(path, from: journal, replaces: force) { try render(journal, to: $0) }
                report(result, name: path.string)
            }
        } catch let fault as JournalFault {
            throw failure(fault.description(file: session.description), Exit.data)
        } catch let error as SoundFileError {
            throw failure("\(output?.description ?? "the WAV"): \(error)", Exit.inputOutput)
        } catch let errno as Errno {
            throw failure("\(session): \(errno)", Exit.noInput)
        }
    }

    private func render(_ journal: FilePath, to output: FileDescriptor) throws -> Rendering.Result {
        var options = Rendering.Options(Pieces.current.all)
        options.rules = rules.forCues
        options.format = bits
        options.rate = rate.flatMap { SampleRate($0) }
        options.channels = haptics ? .interleaved : channels == 2 ? .doubled : .mono
        options.dither = dither
        let bar = ProgressBar("rendering")
        return try Rendering.render(journal, to: output, options) { bar.show($0) }
    }

    private func report(_ result: Rendering.Result, name: String?) {
        if let line = result.cutLine {
            warn("\(session):\(line): warning: the session was cut off here; rendered up to the cut")
        }
        if let line = result.changedLine { warn(JournalIntegrity.warning(session, line: line)) }
        if let loss = result.loss {
            warn("\(session): warning: \(loss.entries) entries are missing, the first of them at \(Report.fixed(loss.from.rawValue, 3)) s: "
                + "from there this is not what was heard")
        }
        for file in result.missingFiles { warn("\(session): warning: \(file) cannot be read, and is not heard") }
        // Standard output is the file's when it goes there.
        if let name { print(Report.lines(result, name: name).joined(separator: "\n")) }
    }
}

extension SampleFormat: ExpressibleByArgument {}

extension FilePath {
    /// The same path with another extension.
    func renamed(extension: String) -> FilePath {
        var path = self
        path.extension = `extension`
        return path
    }
}
