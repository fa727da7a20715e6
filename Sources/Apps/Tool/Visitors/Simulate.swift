import ArgumentParser
import Experience
import Fields
import Journal
import Offline
import Settings
import Signals
import SystemPackage
import Units
import Venue

struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Make up a visitor, or many: a journal, or a report, without a daemon.",
        discussion: """
            The same seed and profile make the same journal, byte for byte. It renders, draws and exports as a real one does. What the \
            session was like is printed, if the piece has something to say of it, unless the journal goes to standard output; \
            --picture draws it.

            With --visits so many visitors of all profiles in turn, or of --profile, are made up, with seeds from --seed on. No journal \
            is written; what all of them were like is printed.

            EXAMPLES
              thrum simulate --seed 7 --turns 1000 --profile bored
              thrum simulate --profile frantic --picture frantic.svg --set chance-early=0.5
              thrum simulate --theme mine.yaml -o mine.jsonl && thrum render mine.jsonl
              thrum simulate --preset sensory-friendly -o calm.jsonl && thrum render calm.jsonl
              thrum simulate -o - | head
              thrum simulate --visits 1000 --turns 500 --picture visits.svg
            """)

    @Option(parsing: .unconditional, help: "0 to 9007199254740991.")
    var seed: UInt64 = 1

    @Option(help: "Which piece: \(Self.pieces.map(\.name).joined(separator: ", ")).")
    var experience = Self.pieces.first?.name ?? ""

    @Option(name: [.customLong("swipes"), .customLong("turns")],
            help: "How often the visitor swipes, or does what the piece has instead, 0 to 10000000.")
    var turns = 1000

    @Option(help: "How the visitor goes about it: \(Self.profiles). (default: the first of the piece)")
    var profile: String?

    /// The pieces that have simulated visitors.
    private static var pieces: [Declaration] { Pieces.current.all.declarations.filter { !$0.visitors.isEmpty } }
    private static var profiles: String {
        pieces.map { "of \($0.name) " + $0.visitors.map(\.name).joined(separator: ", ") }.joined(separator: "; ")
    }

    @Option(name: .customLong("set"), help: "A knob of the piece, as in toast-cooldown=5; may be given several times.",
            completion: Completions.knobs)
    var knobs: [String] = []

    @Option(help: ArgumentHelp("The model by which the piece predicts. (default: the piece's standard)", valueName: "name|file.mlmodel"),
            completion: Completions.models)
    var model: ModelArgument?

    @Option(help: ArgumentHelp("Play with this theme. (default: standard)", valueName: "name|file.yaml"),
            completion: .file(extensions: ["yaml"]))
    var theme: FileArgument?

    @OptionGroup var library: ThemeCommand.Library

    @Option(help: "As in the hours of this preset of the settings: its volume, its ceiling, how high and how fast. (default: normal)",
            completion: .list(Preset.builtIn.keys.sorted()))
    var preset: String?

    @OptionGroup var settings: SettingsOption

    @Option(name: .shortAndLong, help: "The journal; - for standard output. (default: PROFILE-SEED.jsonl)")
    var output: FileArgument?

    @Option(help: "So many visitors instead of one, and a report of them instead of a journal, 1 to 100000.")
    var visits: Int?

    @OptionGroup var drawing: StatisticsFile

    func validate() throws {
        guard JournalHeader.seeds.contains(seed) else {
            throw ValidationError("--seed: expected 0 to \(JournalHeader.seeds.upperBound), found \(seed)")
        }
        guard (0...10_000_000).contains(turns) else { throw ValidationError("--turns: expected 0 to 10000000, found \(turns)") }
        if let visits {
            guard (1...100_000).contains(visits) else { throw ValidationError("--visits: expected 1 to 100000, found \(visits)") }
            guard output == nil else { throw ValidationError("--output: expected none with --visits, which writes no journal") }
        }
    }

    func run() throws {
        guard let piece = Pieces.current.all.named(experience), !piece.declaration.visitors.isEmpty else {
            let known = Self.pieces.map(\.name).joined(separator: ", ")
            throw failure("--experience: expected one of \(known), found \"\(experience)\"", .validationFailure)
        }
        let visitors = piece.declaration.visitors
        guard let visitor = profile.map({ name in visitors.first { $0.name == name } }) ?? visitors.first else {
            let known = visitors.map(\.name).joined(separator: ", ")
            throw failure("--profile: expected one of \(known), found \"\(profile ?? "")\"", .validationFailure)
        }
        if let visits { return try survey(piece, profile == nil ? visitors : [visitor], visits) }
        try drawing.check(piece.declaration)
        // The idle time that thrumd has by default.
        let idle = SettingsTable().catalog.idle.standard
        let simulation = Simulation(piece, visitor, seed: seed, turns: turns, idle: idle, theme: try wantedTheme(for: piece.declaration),
                                    preset: try wantedPreset(), knobs: try knobSettings(of: piece.declaration.knobs),
                                    model: try wantedModel(for: piece.declaration))
        let statistics = piece.declaration.statistics?.init()
        let path = output?.path ?? FilePath("\(visitor.name)-\(seed).jsonl")
        let title = "\(visitor.name) visitor, seed \(seed), \(turns) turns"
        do {
            if output?.isStandardStream == true {
                try drawing.draw(try write(simulation, statistics, to: .standardOutput), title: title, beside: path)
                return
            }
            let report = try create(path, from: nil, replaces: drawing.force) { file in
                let report = try write(simulation, statistics, to: file)
                // The picture is drawn before the journal gets its name, so that either both files appear or neither.
                try drawing.draw(report, title: title, beside: path)
                return report
            }
            if let report { print(StatisticsText(report: report, name: path.string).lines.joined(separator: "\n")) }
        } catch let errno as Errno {
            throw failure("\(path): \(errno)", Exit.inputOutput)
        }
    }

    /// Simulates visitors of each profile in turn, and reports on all of them.
    private func survey(_ piece: any Experience.Type, _ visitors: [VisitorDeclaration], _ visits: Int) throws {
        guard var survey = piece.declaration.survey?.init() else {
            throw failure("--visits: expected a piece with something to say of many visits, found \(piece.declaration.name)",
                          .validationFailure)
        }
        let (idle, theme, preset) = (SettingsTable().catalog.idle.standard, try wantedTheme(for: piece.declaration),
                                    try wantedPreset())
        let (knobs, model) = (try knobSettings(of: piece.declaration.knobs), try wantedModel(for: piece.declaration))
        let bar = ProgressBar("simulating")
        for visit in 0..<visits {
            let visitor = visitors[visit % visitors.count]
            survey.begin(visitor.name)
            var simulation = Simulation(piece, visitor, seed: JournalHeader.seed(visit, after: seed), turns: turns, idle: idle,
                                        theme: theme, preset: preset, knobs: knobs, model: model)
            while let step = simulation.next() {
                for announcement in step.announcements { survey.add(announcement) }
            }
            bar.show(Double(visit + 1) / Double(visits))
        }
        let words = "\(visits) visits, seeds from \(seed) on, at most \(turns) turns"
        let report = survey.report
        try drawing.draw(report, title: words, beside: "")
        print(StatisticsText(report: report, name: words).lines.joined(separator: "\n"))
    }

    /// Returns the theme that the options request, or the standard theme. Throws where `thrumd` would not accept it for the piece.
    private func wantedTheme(for piece: Declaration) throws -> Theme {
        guard let theme else { return .standard }
        let found = try library.find(theme).theme
        do {
            try found.check(for: piece)
        } catch let fault as Fault {
            throw failure("--\(fault.explained)", Exit.settings)
        }
        return found
    }

    /// Returns the preset that the options request, or the normal one. The settings files are read only where a preset is requested.
    private func wantedPreset() throws -> Preset {
        guard let name = preset else { return .normal }
        let presets = try settings.venue().presets
        guard let preset = presets[name] else {
            let known = presets.keys.sorted().joined(separator: ", ")
            let hint = Spelling.hint(for: name, among: presets.keys)
            throw failure("--preset: expected one of \(known), found \"\(name)\"\(hint)", .validationFailure)
        }
        return preset
    }

    /// Returns the model that the options request; nil stands for the piece's standard model.
    private func wantedModel(for piece: Declaration) throws -> PredictionModel? {
        guard let model else { return nil }
        guard let prediction = piece.prediction else {
            throw failure("--model: expected a piece that predicts, found \(piece.name)", .validationFailure)
        }
        return try model.model(of: prediction, field: "--model")
    }

    private func knobSettings(of all: [Knob]) throws -> KnobSettings {
        var settings = KnobSettings.standard
        for word in knobs {
            let words = word.split(separator: "=", maxSplits: 1).map(String.init)
            guard words.count == 2, let knob = all.first(where: { $0.name == words[0] }) else {
                let names = all.map(\.name).joined(separator: ", ")
                throw failure("--set: expected NAME=VALUE with one of \(names), found \"\(word)\"", .validationFailure)
            }
            do {
                settings[knob] = try knob.value(of: words[1])
            } catch {
                throw failure("--set \(error)", .validationFailure)
            }
        }
        return settings
    }

    /// Writes the simulation's journal to `file`. Returns the piece's statistics of the session; nil where the piece has none.
    private func write(_ simulation: Simulation, _ statistics: (any Statistics)?, to file: FileDescriptor) throws -> StatisticsReport? {
        var (simulation, statistics) = (simulation, statistics)
        let bar = ProgressBar("simulating")
        try simulation.writeJournal(to: file, tell: { statistics?.add($0) }) { bar.show(Double($0) / Double(max(1, turns))) }
        return statistics?.report
    }
}

extension Simulation {
    /// Writes the rest of the session to `file` as a journal. `tell` gets the piece's announcements. `progress` gets, from time to time,
    /// the number of turns that have been taken. Throws `Errno`.
    mutating func writeJournal(to file: FileDescriptor, tell: (Announcement) -> Void = { _ in },
                               progress: (Int) -> Void = { _ in }) throws {
        var sum = JournalSum()
        var buffer: [UInt8] = []
        while let step = next() {
            step.announcements.forEach(tell)
            buffer += sum.seal(JournalLine.encode(step.entry))
            guard buffer.count >= 1 << 16 else { continue }
            try file.writeAll(buffer)
            buffer.removeAll(keepingCapacity: true)
            progress(turn)
        }
        try file.writeAll(buffer)
    }
}
