import ArgumentParser
import Experience
import Wire

struct ReplaySession: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Play a journal live again, at its own times or faster.",
        discussion: """
            It replays what people did; `thrum render` replays what was heard. Theme, seed and knobs are thrumd's own, and it warns when \
            they are not the journal's: `thrumd --seed` with the journal's seed makes the same feed.

            Each client of the journal is a connection of its own, so that fingers stay apart. Events are sent about a second ahead, \
            with their moments: being kept from running for less does not change the rhythm. A pause of the journal that is longer than \
            thrumd's idle time, divided by --speed, ends the session, and the next event begins another. SIGINT ends it softly: what is \
            held is let go. Exit status 1 if an event was refused.

            EXAMPLES
              thrum replay session.jsonl
              thrum replay --speed 4 newest
            """)

    @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
    var session: SessionArgument

    @Option(help: "So many times as fast, 0.1 to 100.")
    var speed: Double = 1

    @Flag(help: "Play into the session that is running, if there is one, and leave it to go on.")
    var join = false

    @OptionGroup var folder: SessionsOption

    @OptionGroup var daemon: Daemon

    func validate() throws {
        guard (0.1...100).contains(speed) else { throw ValidationError("--speed: expected 0.1 to 100, found \(speed)") }
    }

    func run() async throws {
        let journal = try session.file(in: folder.path)
        let plan = try journal.reading { try ReplayPlan(journal.path) }
        if let line = plan.cutLine { warn("\(journal):\(line): warning: the session was cut off here; replayed up to the cut") }
        if let warning = plan.integrity.warning(journal) { warn(warning) }
        Interruption.watch()
        let outcome = try await daemon.converse { [journal, speed, join, daemon] control in
            let greeting: Greeting = try await control.result(of: "hello", ["client=replay"])
            let experience = plan.header.experience
            guard greeting.experience == experience else {
                throw failure("\(journal): the journal's experience is \(experience), and thrumd's is \(greeting.experience) "
                    + "(thrumd --experience \(experience))", Exit.data)
            }
            let running = try await control.runningSession()
            if let running, !join {
                throw failure("a session is running, \(running.seconds.fixed(1)) s so far: wait for its end, or --join it",
                              Exit.unavailable)
            }
            return try await LiveReplay(plan, name: journal.name, speed: speed, socket: daemon.path, control: control, greeting: greeting,
                                        isJoining: running != nil).run()
        }
        print(Self.line(outcome, name: journal.name))
        if outcome.totals.refused > 0 { throw ExitCode(1) }
    }

    private static func line(_ outcome: LiveReplay.Outcome, name: String) -> String {
        let totals = outcome.totals
        return "\(name): \(outcome.isWhole ? "replayed in" : "interrupted after") \(outcome.seconds.fixed(1)) s, "
            + "events sent: \(totals.sent), late: \(totals.late)"
            + (totals.late > 0 ? " (\(totals.worst.fixed(1)) ms at most)" : "")
            + (totals.refused > 0 ? ", refused: \(totals.refused)" : "")
    }
}
