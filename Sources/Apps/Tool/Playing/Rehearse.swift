import ArgumentParser
import ControlSocket
import Fields
import FoundationEssentials
import Wire

struct Rehearse: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rehearse",
        abstract: "Show front ends everything that a piece can announce, one thing after the other.",
        discussion: """
            For whoever draws: thrumd tells its subscribers each announcement of the piece in each of its kinds, marked with \
            "rehearsal":true, and then plays every chime, pattern and texture that the piece asks of a theme. The piece itself, its \
            journal and its ledger know nothing of the announcements. In the end front ends are told how the piece really is.

            q or Ctrl-C ends it early. Nothing is held then. Do not rehearse in front of visitors: they would see it.

            EXAMPLES
              thrum rehearse colorscroller
              thrum rehearse colorscroller --only unlock --only chime/unlock --every 1
              thrum rehearse scrollkitty --list
            """)

    @Argument(help: "The piece that thrumd plays: \(Rehearse.pieces.joined(separator: ", ")).", completion: .list(Rehearse.pieces))
    var piece: String

    @Option(help: ArgumentHelp("Only this topic, or this one of it; may be given several times. Sounds are chime, haptic and texture.",
                               valueName: "topic[/name]"))
    var only: [String] = []

    @Option(help: "How long each is shown, 0.1 to 60 s.")
    var every = 2.0

    @Flag(help: "Only say what there is.")
    var list = false

    @OptionGroup var daemon: Daemon

    private static var pieces: [String] { Pieces.current.all.declarations.filter { $0.rehearsal != nil }.map(\.name) }

    func validate() throws {
        guard (0.1...60).contains(every) else { throw ValidationError("--every: expected 0.1 to 60 (s), found \(every)") }
        guard Self.pieces.contains(piece) else {
            let known = Self.pieces.joined(separator: ", ")
            throw ValidationError("expected one of \(known), found \"\(piece)\"\(Spelling.hint(for: piece, among: Self.pieces))")
        }
    }

    func run() async throws {
        guard let declaration = Pieces.current.all.declarations.first(where: { $0.name == piece }) else { return }
        Interruption.watch()
        try await daemon.converse { exchange in
            let greeting: Greeting = try await exchange.result(of: "hello", ["client=thrum rehearse"])
            guard greeting.experience == piece else {
                throw failure("thrumd plays \(greeting.experience): expected \(piece), as in thrumd --experience \(piece)", Exit.data)
            }
            let plan = RehearsalPlan(try await exchange.result(of: "rehearsal.list"), chimes: try await exchange.result(of: "chime.list"),
                                     haptics: try await exchange.result(of: "haptic.list"),
                                     textures: try await exchange.result(of: "texture.list"), of: declaration)
            let steps: [RehearsalPlan.Step]
            do throws(Fault) {
                steps = try plan.steps(only: only)
            } catch {
                throw failure("--only: expected \(error.expected), found \(error.found ?? "nothing")", .validationFailure)
            }
            if list {
                for step in steps { print(step.words) }
                return
            }
            try await rehearse(steps, exchange)
        }
    }

    private func rehearse(_ steps: [RehearsalPlan.Step], _ exchange: ControlClient.Exchange) async throws {
        var keyboard = Keyboard()
        keyboard.open()
        defer { keyboard.close() }
        let _: Receipt = try await exchange.result(of: "journal.mark", ["text=a rehearsal of \(piece) begins"])
        let clock = ContinuousClock()
        var next = clock.now
        for (index, step) in steps.enumerated() {
            try StandardOutput.write(line: Array(RehearsalPlan.line(index + 1, of: steps.count, step).utf8))
            let _: Receipt = try await exchange.result(of: step.begin.method, step.begin.pairs)
            next += .seconds(every)
            while clock.now < next, !Interruption.hasCome, !keyboard.keys().contains(UInt8(ascii: "q")) {
                try await clock.sleep(until: min(next, clock.now + .milliseconds(50)))
            }
            if let end = step.end { let _: Receipt = try await exchange.result(of: end.method, end.pairs) }
            // Before its time is over only when somebody wants it to end.
            if clock.now < next { break }
        }
        let _: Receipt = try await exchange.result(of: "rehearse")
        let _: Receipt = try await exchange.result(of: "journal.mark", ["text=the rehearsal is over"])
    }
}
