import ArgumentParser
import Experience
import Fields
import FoundationEssentials
import Glibc
import Processes
import Synchronization
import SystemPackage
import Wire

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Watch what thrumd does, as it happens.",
        discussion: """
            On a terminal, and without topics, it is a live view: the piece and where the visitor is, session, theme, preset and \
            dose, tone, meters, fingers, output, devices, issues, and what happened last, drawn again in place some 20 times a \
            second. In it q quits, p pauses what happened, and / filters it by a text.

            With topics, with --json, or where the output is no terminal, it is a line for each notification: the seconds since \
            the session's start, the topic, and its fields as name=value, in 160 columns at most. With --json it is the whole \
            notification. Topics are words, with spaces or commas between them, as in `thrum send subscribe topics=unlock,toast`. They are \
            explained in docs/reference; only meters is not told unless it is named.

            Both last until they are interrupted, or until the daemon goes: exit status 69.

            EXAMPLES
              thrum watch
              thrum watch unlock toast intervention
              thrum watch unlock,toast --json
              thrum watch meters --rate 2
              thrum watch event --json | jq .params.phase
            """)

    @Argument(help: ArgumentHelp("Of \(Pieces.current.topics.names.joined(separator: ", ")). (default: all but meters)",
                                 valueName: "topics"),
              completion: .list(Pieces.current.topics.names), transform: Watch.topics)
    var named: [[Topic]] = []

    private var topics: [Topic] { named.flatMap { $0 } }

    @Flag(help: "As JSON, a whole notification a line.")
    var json = false

    @Option(help: "How often meters are told, 1 to 60 times a second.")
    var rate = TopicTable.usualMeterRate

    @OptionGroup var daemon: Daemon

    func validate() throws {
        guard TopicTable.meterRates.contains(rate) else { throw ValidationError("--rate: expected 1 to 60 (Hz), found \(rate)") }
    }

    func run() async throws {
        if topics.isEmpty, !json, Terminal.isThere {
            try await showView()
        } else {
            try await printLines()
        }
    }

    private func printLines() async throws {
        Interruption.endsProgram()
        let line = try subscription(to: topics.isEmpty ? Self.all.filter { $0 != .meters } : topics)
        try await daemon.converse { [json, areNamed = !topics.isEmpty] exchange in
            let taken = try JSONDecoder().decode(Answer<Taken>.self, from: Data(await exchange.ask(line))).result
            var lines = WatchLines(session: taken.snapshot.status.session?.seconds, at: .now)
            if areNamed, let silent = taken.silent { warn("nothing is told of \(silent.joined(separator: ", ")): another piece runs") }
            while let line = try await exchange.receive() {
                guard !json else {
                    try StandardOutput.write(line: line)
                    continue
                }
                let notification = try JSONDecoder().decode(ReceivedNotification.self, from: Data(line))
                try StandardOutput.write(line: Array(lines.line(notification, at: .now).utf8))
            }
            throw failure("thrumd is gone", Exit.unavailable)
        }
    }

    private func showView() async throws {
        let request = try subscription(to: Self.all)
        let question = try Message(method: "status", pairs: []).line(id: 2)
        let queries = Dictionary(uniqueKeysWithValues: Pieces.current.all.declarations.compactMap { piece in
            piece.snapshot.map { (piece.name, $0.query) }
        })
        let aboutPiece = try queries.mapValues { try Message(method: $0, pairs: []).line(id: LiveView.pieceQuestion) }
        // The screen is drawn at least 20 times a second, and as often as meters come where that is more often.
        let period = Duration.seconds(1 / max(20, rate))
        try await daemon.converse { exchange in
            let answer = try await exchange.ask(request)
            let screen = LiveScreen(try LiveView(answer, at: .now))
            let drawing = Task {
                while true {
                    screen.draw()
                    try await Task.sleep(for: period)
                }
            }
            do {
                defer {
                    drawing.cancel()
                    screen.close()
                }
                var asked = ContinuousClock.now
                // The connection has ended, so the daemon is gone.
                while let line = try? await exchange.receive() {
                    try screen.take(line)
                    // Counters and measurements have no notifications, so thrumd is asked for them once a second. The meters bring enough
                    // lines for that.
                    guard asked.duration(to: .now) >= .seconds(1) else { continue }
                    asked = .now
                    try? await exchange.send(question)
                    if let line = aboutPiece[screen.experience] { try? await exchange.send(line) }
                }
            }
            throw failure("thrumd is gone", Exit.unavailable)
        }
    }

    private static let all = Pieces.current.topics.topics.map(\.topic)

    private func subscription(to topics: [Topic]) throws -> [UInt8] {
        try Message(subscribingTo: topics, meterRate: rate).line(id: 1)
    }
}

extension Watch {
    /// The part that is read of the answer to `subscribe`.
    private struct Taken: Decodable {
        struct Snapshot: Decodable { var status: StatusReport }

        var silent: [String]?
        var snapshot: Snapshot
    }

    /// Reads topics that are separated by commas. Throws `ValidationError` for a topic that no piece has.
    private static func topics(_ list: String) throws -> [Topic] {
        let names = Pieces.current.topics.names
        return try list.split(separator: ",").map(String.init).map { name in
            guard names.contains(name) else {
                throw ValidationError("\"\(name)\" is no topic\(Spelling.hint(for: name, among: names)); thrum watch --help lists them")
            }
            return Topic(name)
        }
    }
}

/// Draws the live view on the terminal. One task passes in notifications, and another task calls `draw` to draw.
final class LiveScreen: Sendable {
    private struct State {
        var view: LiveView
        var terminal = Terminal()
        var isClosed = false
    }

    private let state: Mutex<State>

    init(_ view: LiveView) {
        state = Mutex(State(view: view))
        HeldSignal.watch()
    }

    func take(_ line: [UInt8]) throws {
        try state.withLock { try $0.view.take(line, at: .now) }
    }

    /// The name of the running piece.
    var experience: String { state.withLock { $0.view.status.experience } }

    /// Handles the keys that were pressed, and draws what has changed. If a signal's effect is delayed (`HeldSignal`), first restores the
    /// terminal and lets the signal take effect.
    func draw() {
        state.withLock { state in
            guard !state.isClosed else { return }
            if let number = HeldSignal.take() {
                state.terminal.leave()
                HeldSignal.obey(number)
            }
            for key in state.terminal.keys { state.view.press(key) }
            if state.view.controls.wantsToQuit {
                state.terminal.leave()
                exit(0)
            }
            let size = state.terminal.size
            // The last column stays free: erasing the rest of a full line would erase its last character.
            let lines = state.view.lines(width: size.width - 1, height: size.height, at: .now)
            do {
                try state.terminal.show(lines)
            } catch Errno.resourceTemporarilyUnavailable {
                // The terminal accepts nothing at the moment; the next drawing contains everything.
            } catch {
                // The terminal is gone.
                exit(Exit.inputOutput.rawValue)
            }
        }
    }

    /// Restores the terminal, and stops drawing.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.terminal.leave()
        }
    }
}
