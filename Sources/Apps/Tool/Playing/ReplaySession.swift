import ArgumentParser
import CLinux
import Experience
import Journal
import JournalFile
import Offline
import Processes
import Signals
import SystemPackage
import Units
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

/// The facts about a journal that a replay needs before it starts.
struct ReplayPlan: Sendable {
    let path: FilePath
    let header: JournalHeader
    /// The number of the line of each client's last event, from 1, after which the client sends nothing more.
    private(set) var lastLines: [Client: Int] = [:]
    /// The frame at which the replay ends and releases everything. If the session ended because nobody was there, this is before the idle
    /// time.
    private(set) var end = Frame.zero
    /// Whether another seed could change what the journal's events lead to.
    private(set) var needsSeed: Bool
    /// The line at which the session was cut off; nil if it ended properly.
    private(set) var cutLine: Int?
    /// The result of checking the checksums of all lines.
    private(set) var integrity = JournalIntegrity.unknown

    /// Reads the whole journal. Throws `JournalFault` and `Errno`.
    init(_ path: FilePath) throws {
        var scan = try JournalScan(path)
        let header = try scan.header()
        self.path = path
        self.header = header
        needsSeed = header.experience != "direct"
        var (isStopped, last) = (false, Frame.zero)
        while let entry = try scan.next() {
            switch entry {
            case .event(let event, let frame, _, let gave):
                end = frame
                if case .action = event.kind { needsSeed = true }
                isStopped = event.client == .engine && event.kind == .stop
                if event.client != .engine { lastLines[event.client] = scan.line }
                if event.client != .engine || (gave?.cues.isEmpty == false && event.kind != .stop) { last = frame }
            case .end(.idle, let frame): end = min(frame, last + header.sampleRate.frames(in: SessionCut.rest))
            // After a stop the engine writes the end of the session only when all is silent, so the frame of the stop counts.
            case .end(_, let frame): end = isStopped ? end : frame
            case .discontinuity(.lost, let frame): end = frame
            case .header, .discontinuity, .checkpoint: break
            }
        }
        if case .cut(let line) = scan.ending { cutLine = line }
        integrity = scan.integrity
    }
}

/// The error that is thrown when the user interrupts the replay.
struct Interrupted: Error {}

/// The timing of a replay, and its progress bar.
final class ReplayPace {
    /// How long after this object's creation frame 0 is heard, in nanoseconds. So the first events can be sent ahead of time.
    private static let headStart: Int64 = 300_000_000
    /// How late an answer may come before thrumd counts as hanging, in nanoseconds.
    private static let timeout: Int64 = 5_000_000_000

    private let start = monotonicNanoseconds() + ReplayPace.headStart
    private let rate: SampleRate
    private let speed: Double
    private let end: Int64
    private let bar = ProgressBar("replaying")

    init(_ plan: ReplayPlan, speed: Double) {
        let rate = plan.header.sampleRate
        self.rate = rate
        self.speed = speed
        end = start + ReplayPace.span(plan.end, rate, speed)
    }

    /// The time since frame 0, in seconds.
    var seconds: Double { max(0, Double(monotonicNanoseconds() - start) / 1e9) }

    /// Returns the time at which `frame` is to be heard; CLOCK_MONOTONIC in nanoseconds.
    func moment(of frame: Frame) -> Int64 { start + ReplayPace.span(frame, rate, speed) }

    private static func span(_ frame: Frame, _ rate: SampleRate, _ speed: Double) -> Int64 {
        Int64(rate.seconds(in: FrameCount(frame.rawValue)).rawValue / speed * 1e9)
    }

    /// Waits until `moment`, CLOCK_MONOTONIC in nanoseconds. Throws `Interrupted` when the user interrupts the replay.
    func hold(until moment: Int64) async throws {
        while true {
            if Interruption.hasCome { throw Interrupted() }
            let now = monotonicNanoseconds()
            guard now < moment else { return }
            bar.show(min(1, max(0, Double(now - start) / Double(max(1, end - start)))))
            try await Task.sleep(for: .nanoseconds(min(moment - now, 50_000_000)))
        }
    }

    /// Waits until `isDone` returns true. Throws `Interrupted`, or an exit status if it is still false 5 s after `moment`, which is
    /// CLOCK_MONOTONIC in nanoseconds.
    func wait(until moment: Int64, for isDone: () -> Bool) async throws {
        while !isDone() {
            if Interruption.hasCome { throw Interrupted() }
            guard monotonicNanoseconds() < moment + Self.timeout else {
                throw failure("no answer within 5 s: thrumd hangs", Exit.unavailable)
            }
            try await Task.sleep(for: .milliseconds(1))
        }
    }
}
