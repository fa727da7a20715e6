import ArgumentParser
import Journal
import Offline
import Signals
import SystemPackage
import Units

struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make up a visitor to ColorScroller: a journal without a daemon.",
        discussion: """
            The same seed and profile make the same journal, byte for byte. It renders, draws and exports as a real one does. What \
            the session was like is printed as a table, unless the journal goes to standard output, and drawn with --picture.

            EXAMPLES
              thrum simulate --seed 7 --swipes 1000 --profile bored
              thrum simulate --profile frantic --picture frantic.svg --set chance-early=0.5
              thrum simulate -o - | head
            """)

    @Option(parsing: .unconditional, help: "0 to 9007199254740991.")
    var seed: UInt64 = 1

    @Option(help: "Swipes in the session, 0 to 10000000.")
    var swipes = 1000

    @Option(help: "How the visitor goes through the feed: \(VisitorProfile.allCases.map(\.rawValue).joined(separator: ", ")).")
    var profile: VisitorProfile = .curious

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
        let tuning = try tuning()
        let path = output?.path ?? FilePath("\(profile.rawValue)-\(seed).jsonl")
        do {
            if output?.isStandardStream == true {
                try draw(try write(tuning, to: .standardOutput), beside: path)
                return
            }
            let statistics = try create(path, from: nil, replaces: drawing.force) { file in
                let statistics = try write(tuning, to: file)
                // Before the journal is there under its name: all or nothing.
                try draw(statistics, beside: path)
                return statistics
            }
            print(SessionTable.lines(statistics, name: path.string).joined(separator: "\n"))
        } catch let errno as Errno {
            throw failure("\(path): \(errno)", Exit.inputOutput)
        }
    }

    private func draw(_ statistics: SessionStatistics, beside path: FilePath) throws {
        try drawing.draw(statistics, title: "\(profile.rawValue) visitor, seed \(seed), \(swipes) swipes", beside: path)
    }

    private func tuning() throws -> Tuning {
        var tuning = Tuning.standard
        for knob in knobs {
            let words = knob.split(separator: "=", maxSplits: 1).map(String.init)
            guard words.count == 2, let parameter = Parameter(rawValue: words[0]) else {
                let names = Parameter.allCases.map(\.rawValue).joined(separator: ", ")
                throw failure("--set: expected NAME=VALUE with one of \(names), found \"\(knob)\"", .validationFailure)
            }
            do {
                tuning.apply(try ParameterChange(parameter, text: words[1]))
            } catch {
                throw failure("--set \(error)", .validationFailure)
            }
        }
        return tuning
    }

    private func write(_ tuning: Tuning, to file: FileDescriptor) throws -> SessionStatistics {
        var simulation = Simulation(seed: seed, swipes: swipes, profile: profile, tuning: tuning)
        var statistics = SessionStatistics()
        var sum = JournalSum()
        var buffer: [UInt8] = []
        var seen = 0
        let bar = ProgressBar("simulating")
        while let step = simulation.next() {
            statistics.add(step.cues)
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

extension VisitorProfile: ExpressibleByArgument {}
