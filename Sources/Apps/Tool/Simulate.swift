import ArgumentParser
import Experience
import Fields
import Journal
import Offline
import Registry
import Signals
import SystemPackage
import Units

struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make up a visitor: a journal without a daemon.",
        discussion: """
            The same seed and profile make the same journal, byte for byte. It renders, draws and exports as a real one does. What \
            a session of colorscroller was like is printed as a table, unless the journal goes to standard output, and drawn with \
            --picture.

            EXAMPLES
              thrum simulate --seed 7 --swipes 1000 --profile bored
              thrum simulate --profile frantic --picture frantic.svg --set chance-early=0.5
              thrum simulate -o - | head
            """)

    @Option(parsing: .unconditional, help: "0 to 9007199254740991.")
    var seed: UInt64 = 1

    @Option(help: "Which piece: \(Self.pieces.map(\.name).joined(separator: ", ")).")
    var experience = Self.pieces.first?.name ?? ""

    @Option(name: [.customLong("swipes"), .customLong("turns")], help: "Of the visitor in the session, 0 to 10000000.")
    var swipes = 1000

    @Option(help: "How the visitor goes about it: \(Self.profiles). (default: the first of the piece)")
    var profile: String?

    /// Those that visitors can be made up for.
    private static var pieces: [Declaration] { Registry.pieces.declarations.filter { !$0.visitors.isEmpty } }
    private static var profiles: String { pieces.map { $0.visitors.map(\.name).joined(separator: ", ") }.joined(separator: "; ") }

    @Option(name: .customLong("set"), help: "A knob, as in toast-cooldown=5; may be given several times. (docs/colorscroller.md)")
    var knobs: [String] = []

    @Option(name: .shortAndLong, help: "The journal; - for standard output. (default: PROFILE-SEED.jsonl)")
    var output: FileArgument?

    @OptionGroup var drawing: StatisticsFile

    func validate() throws {
        guard JournalHeader.seeds.contains(seed) else {
            throw ValidationError("--seed: expected 0 to \(JournalHeader.seeds.upperBound), found \(seed)")
        }
        guard (0...10_000_000).contains(swipes) else { throw ValidationError("--swipes: expected 0 to 10000000, found \(swipes)") }
    }

    func run() throws {
        guard let piece = Registry.pieces.named(experience), !piece.declaration.visitors.isEmpty else {
            let known = Self.pieces.map(\.name).joined(separator: ", ")
            throw failure("--experience: expected one of \(known), found \"\(experience)\"", .validationFailure)
        }
        let visitors = piece.declaration.visitors
        guard let visitor = profile.map({ name in visitors.first { $0.name == name } }) ?? visitors.first else {
            let known = visitors.map(\.name).joined(separator: ", ")
            throw failure("--profile: expected one of \(known), found \"\(profile ?? "")\"", .validationFailure)
        }
        let simulation = Simulation(piece, visitor, seed: seed, turns: swipes, knobs: try settings(of: piece.declaration.knobs))
        let path = output?.path ?? FilePath("\(visitor.name)-\(seed).jsonl")
        do {
            if output?.isStandardStream == true {
                try draw(try write(simulation, to: .standardOutput), visitor, beside: path)
                return
            }
            let statistics = try create(path, from: nil, replaces: drawing.force) { file in
                let statistics = try write(simulation, to: file)
                // Before the journal is there under its name: all or nothing.
                try draw(statistics, visitor, beside: path)
                return statistics
            }
            if statistics.last != nil { print(SessionTable.lines(statistics, name: path.string).joined(separator: "\n")) }
        } catch let errno as Errno {
            throw failure("\(path): \(errno)", Exit.inputOutput)
        }
    }

    private func draw(_ statistics: SessionStatistics, _ visitor: VisitorDeclaration, beside path: FilePath) throws {
        try drawing.draw(statistics, title: "\(visitor.name) visitor, seed \(seed), \(swipes) swipes", beside: path)
    }

    private func settings(of all: [Knob]) throws -> KnobSettings {
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

    private func write(_ simulation: Simulation, to file: FileDescriptor) throws -> SessionStatistics {
        var simulation = simulation
        var statistics = SessionStatistics()
        var sum = JournalSum()
        var buffer: [UInt8] = []
        var seen = 0
        let bar = ProgressBar("simulating")
        while let step = simulation.next() {
            statistics.add(step.announcements)
            buffer += sum.seal(JournalLine.encode(step.entry))
            guard buffer.count >= 1 << 16 else { continue }
            try file.writeAll(buffer)
            buffer.removeAll(keepingCapacity: true)
            seen = statistics.last?.blocksViewed ?? seen
            bar.show(min(1, Double(seen) / Double(max(1, swipes))))
        }
        try file.writeAll(buffer)
        return statistics
    }
}
