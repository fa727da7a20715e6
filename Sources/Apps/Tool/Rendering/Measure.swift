import ArgumentParser
import Escaping
import Experience
import Fields
import Journal
import Offline
import SoundFile
import SystemPackage
import Units

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
        sessions.forEach { rules.noteModel(of: $0) }
        let bar = ProgressBar("measuring")
        var report = MeasureReport(isCalibrated: options.hearing != nil)
        var status = missing
        for (index, session) in sessions.enumerated() {
            do {
                let (sound, notes) = try measure(session, options) { bar.show((Double(index) + $0) / Double(sessions.count)) }
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
            options.hearing = try settings.venue().hearing
            return options
        }
    }

    private func measure(_ session: SessionFile, _ options: Measuring.Options, _ progress: (Double) -> Void) throws
        -> (MeasuredSound, PlaybackNotes?) {
        guard !session.isSoundFile else { return (try Measuring.soundFile(session.path, options, progress: progress), nil) }
        return try Measuring.session(session.path, options, Pieces.current.all, progress: progress)
    }

    /// Returns what is wrong with a session, in words, and the exit status for it. Rethrows an error that is not about a session.
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
    /// Whether the file is a sound file: by its name's extension or, for standard input or a pipe, by its first bytes.
    fileprivate var isSoundFile: Bool {
        guard !hasName else { return path.extension.flatMap { SoundFileContainer(rawValue: $0.lowercased()) } != nil }
        guard let file = try? FileDescriptor.open(path, .readOnly) else { return false }
        defer { try? file.close() }
        var start = [UInt8](repeating: 0, count: 4)
        let count = start.withUnsafeMutableBytes { try? file.read(fromAbsoluteOffset: 0, into: $0) }
        return count == 4 && SoundFileContainer.beginnings.contains(String(decoding: start, as: UTF8.self))
    }
}

/// Measured sessions, as a table for people and as JSON.
struct MeasureReport {
    struct Entry: Encodable {
        var name: String
        var sound: MeasuredSound
        /// The kinds of damage of the journal, each in words; empty where the journal is intact.
        var damage: [String]

        private enum CodingKeys: CodingKey { case name, damage }

        func encode(to encoder: any Encoder) throws {
            try sound.encode(to: encoder)
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(name, forKey: .name)
            if !damage.isEmpty { try container.encode(damage, forKey: .damage) }
        }
    }

    private let isCalibrated: Bool
    private(set) var entries: [Entry] = []

    init(isCalibrated: Bool) { self.isCalibrated = isCalibrated }

    mutating func add(_ sound: MeasuredSound, of session: SessionFile, damage: [String] = []) {
        entries.append(Entry(name: session.name, sound: sound, damage: damage))
    }

    /// The table for people, with one line for each session. For a single session, its levels and its spectrum follow.
    var lines: [String] {
        guard !entries.isEmpty else { return [] }
        let table = Self.aligned([heading] + entries.map(row))
        return table + (entries.count == 1 ? details(entries[0].sound) : [])
    }

    private var unit: String { isCalibrated ? "dBA" : "dB(A)" }

    private var heading: [String] {
        ["LUFS", "LU", "dBTP", "RMS", unit, "loudest"] + (isCalibrated ? ["dose"] : []) + ["length", "session"]
    }

    private func row(_ entry: Entry) -> [String] {
        let sound = entry.sound
        return [
            Self.loudness(sound), sound.range.fixed(1), Self.level(sound.truePeak), Self.level(sound.rms),
            Self.level(sound.weighted), Self.level(sound.loudestSecond),
        ] + (isCalibrated ? ["\((sound.dose ?? 0).fixed(3)) %"] : []) + [
            Seconds(sound.seconds).clock(1), entry.name + (entry.damage.isEmpty ? "" : "  (\(entry.damage.joined(separator: "; ")))"),
        ]
    }

    private func details(_ sound: MeasuredSound) -> [String] {
        var lines = ["", "time at each level (\(unit) of each second\(isCalibrated ? "" : ", under a sine of full scale at 1 kHz"))"]
        let longest = sound.levels.map(\.seconds).max() ?? 1
        let levels = sound.levels.map { part in
            [part.from.map { "\(Int($0)) to \(Int(part.to))" } ?? "below \(Int(part.to))", Seconds(part.seconds).clock(1),
             Self.bar(part.seconds / longest)]
        }
        lines += Self.aligned(levels)
        let strongest = sound.spectrum.compactMap(\.level).max()
        guard let strongest else { return lines }
        lines += ["", "thirds of an octave (dBFS), down to 40 dB under the strongest"]
        let bands = sound.spectrum.filter { ($0.level ?? -.infinity) > strongest - 40 }
        lines += Self.aligned(bands.map { band in
            ["\(band.middle.fixed(band.middle < 100 && band.middle != band.middle.rounded() ? 1 : 0)) Hz", Self.level(band.level),
             Self.bar(((band.level ?? -.infinity) - strongest + 40) / 40)]
        })
        return lines + ["", "strongest: " + sound.dominant.map { "\($0.middle.fixed(0)) Hz" }.joined(separator: ", ")]
    }

    private static func loudness(_ sound: MeasuredSound) -> String {
        sound.integrated == nil && sound.truePeak != nil && MeasuredSound.isTooShort(Seconds(sound.seconds)) ? "too short"
            : level(sound.integrated)
    }

    private static func level(_ level: Double?) -> String { level.map { $0.fixed(1) } ?? "silent" }

    /// Returns a bar; `fraction` is its length, from 0 to 1.
    private static func bar(_ fraction: Double) -> String { String(repeating: "█", count: max(0, Int((fraction * 40).rounded()))) }

    /// Aligns all columns to the right, except the last, which is aligned to the left.
    private static func aligned(_ rows: [[String]]) -> [String] {
        let columns = rows.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in rows.map { $0[column].columns }.max() ?? 0 }
        return rows.map { row in
            row.enumerated().map { column, cell in
                column == columns - 1 ? cell : cell.alignedRight(to: widths[column])
            }.joined(separator: "  ")
        }
    }
}
