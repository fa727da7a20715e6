import ArgumentParser
import Fields
import Journal
import Offline
import SettingsFile
import SoundFile
import SystemPackage
import Venue
import YAML

struct Measure: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "measure",
        abstract: "Measure how loud sessions are, and what is in them.",
        discussion: """
            Loudness and true peak by EBU R 128, RMS, A-weighted level and dose, time at each level, and bands of a third of an octave. \
            Sound files are measured as well, also from standard input (-).

            A session has one channel, and is measured as the file that `thrum render` makes of it. With --channels 2 it counts as played \
            by two speakers, which is 3 LU louder. Levels are in dBA, and there is a dose, where the settings have `hearing`.

            A session that cannot be measured is named, and the others are measured; then the exit status is 65, or 66 if the first of \
            them is not there.

            EXAMPLES
              thrum measure newest
              thrum measure newest --mark "she laughs"
              thrum measure visit.wav visit.flac --channels 2
              thrum measure *.jsonl --json | jq '.[] | select(.integrated > -23) | .name'
            """)

    @Argument(help: "Sessions, as `thrum render` takes them, and sound files (.wav, .flac, .ogg, .opus).",
              completion: .file(extensions: ["jsonl"] + SoundFileContainer.allCases.map(\.rawValue)))
    var sessions: [SessionArgument]

    @Flag(help: "As a JSON array, for scripts.")
    var json = false

    @Option(help: "1, or 2 to count the one channel as played by two speakers.")
    var channels = 1

    @OptionGroup var part: CutOption

    @OptionGroup var rules: RulesOption

    @OptionGroup var folder: SessionsOption

    @OptionGroup var settings: SettingsOption

    func validate() throws {
        guard channels == 1 || channels == 2 else { throw ValidationError("--channels: expected 1 or 2, found \(channels)") }
    }

    func run() throws {
        let (sessions, missing) = try self.sessions.found(in: folder.path)
        if part.cut != .whole, let file = sessions.first(where: \.isSoundFile) {
            throw failure("\(file): expected a session with --from, --to and --mark, found a sound file", .validationFailure)
        }
        let options = try self.options
        let bar = ProgressBar("measuring")
        var report = MeasureReport(isCalibrated: options.hearing != nil)
        var status = missing
        for (place, session) in sessions.enumerated() {
            do {
                let (sound, notes) = try measure(session, options) { bar.show((Double(place) + $0) / Double(sessions.count)) }
                let warnings = notes?.warnings(of: session) ?? []
                if !warnings.isEmpty { bar.clear() }
                warnings.forEach(warn)
                report.add(sound, of: session, damage: notes?.damage ?? [])
            } catch {
                bar.clear()
                let fault = try Self.description(of: error, session)
                warn(fault.reason)
                status = status ?? fault.status
            }
        }
        bar.clear()
        print(json ? try JSONReport.text(report.entries) : report.lines.joined(separator: "\n"))
        if let status { throw status }
    }

    private var options: Measuring.Options {
        get throws {
            var options = Measuring.Options()
            options.rules = rules.forCues
            options.cut = part.cut
            options.isDoubled = channels == 2
            do {
                options.hearing = try settings.files().decode(Venue.self, keys: ["presets", "schedule", "hearing"]).hearing
            } catch let errno as Errno {
                throw failure("\(settings.config ?? "the settings"): \(errno)", Exit.noInput)
            } catch let fault as FileFault {
                throw failure("\(fault)", Exit.settings)
            }
            return options
        }
    }

    private func measure(_ session: SessionFile, _ options: Measuring.Options, _ progress: (Double) -> Void) throws
        -> (MeasuredSound, PlaybackNotes?) {
        guard !session.isSoundFile else { return (try Measuring.soundFile(session.path, options, progress: progress), nil) }
        return try Measuring.session(session.path, options, Pieces.current.all, progress: progress)
    }

    /// Throws what is no fault of a session.
    private static func description(of error: any Error, _ session: SessionFile) throws -> (reason: String, status: ExitCode) {
        switch error {
        case let fault as JournalFault: (fault.description(file: session.name), Exit.data)
        case let fault as Fault: ("\(session): \(fault)", .validationFailure)
        case let error as SoundFileError: ("\(session): \(error)", Exit.data)
        case let errno as Errno: ("\(session): \(errno)", Exit.noInput)
        default: throw error
        }
    }
}

extension SessionFile {
    /// By its name; by its first bytes where it comes from standard input or a pipe.
    fileprivate var isSoundFile: Bool {
        guard !hasName else { return path.extension.flatMap { SoundFileContainer(rawValue: $0.lowercased()) } != nil }
        guard let file = try? FileDescriptor.open(path, .readOnly) else { return false }
        defer { try? file.close() }
        var start = [UInt8](repeating: 0, count: 4)
        let count = start.withUnsafeMutableBytes { try? file.read(fromAbsoluteOffset: 0, into: $0) }
        return count == 4 && SoundFileContainer.beginnings.contains(String(decoding: start, as: UTF8.self))
    }
}
