import ArgumentParser
import FoundationEssentials
import Glibc
import Live
import SystemPackage
import Wire

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Watch what thrumd does, as it happens.",
        discussion: """
            On a terminal, and without topics, it is a live view: session, tone, meters, fingers, output, devices, \
            issues, and what happened last, drawn again in place some 20 times a second.

            With topics, with --json, or where the output is no terminal, it is a line for each notification. \
            Topics are explained in docs/protocol.md; only meters is not told unless it is named.

            Both last until they are interrupted, or until the daemon goes: exit status 69.

            EXAMPLES
              thrum watch
              thrum watch unlock toast intervention
              thrum watch meters --rate 2
              thrum watch event --json | jq .params.phase
            """)

    @Argument(help: "Of \(Pieces.current.guide.topics.names.joined(separator: ", ")). (default: all but meters)",
              completion: .list(Pieces.current.guide.topics.names))
    var topics: [Topic] = []

    @Flag(help: "As JSON, a notification a line.")
    var json = false

    @Option(help: "How often meters are told, 1 to 60 times a second.")
    var rate = ProtocolGuide.usualMeterRate

    @OptionGroup var daemon: Daemon

    func validate() throws {
        guard ProtocolGuide.meterRates.contains(rate) else { throw ValidationError("--rate: expected 1 to 60 (Hz), found \(rate)") }
    }

    func run() async throws {
        if topics.isEmpty, !json, Terminal.isThere {
            try await showView()
        } else {
            try await printLines()
        }
    }

    private func printLines() async throws {
        let line = try subscription(to: topics.isEmpty ? Self.all.filter { $0 != .meters } : topics)
        try await daemon.converse { [json] exchange in
            _ = try await exchange.ask(line)
            while let line = try await exchange.receive() {
                // At once, also through a pipe.
                let text = json ? line : Array(try JSONDecoder().decode(Told.self, from: Data(line)).words.utf8)
                do {
                    try FileDescriptor.standardOutput.writeAll(text + [UInt8(ascii: "\n")])
                } catch Errno.brokenPipe {
                    // The reader of the pipe has closed it.
                    HeldSignal.obey(SIGPIPE)
                }
            }
            throw failure("thrumd is gone", Exit.unavailable)
        }
    }

    private func showView() async throws {
        let request = try subscription(to: Self.all)
        let question = try Message(method: "status", pairs: []).line(id: 2)
        // Meters that come more often are worth drawing more often.
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
                    // What is counted and measured is not told of, but answered. Meters see to it that there are lines enough.
                    guard asked.duration(to: .now) >= .seconds(1) else { continue }
                    asked = .now
                    try? await exchange.send(question)
                }
            }
            throw failure("thrumd is gone", Exit.unavailable)
        }
    }

    private static let all = Pieces.current.guide.topics.topics.map(\.topic)

    private func subscription(to topics: [Topic]) throws -> [UInt8] {
        try Message(subscribingTo: topics, meterRate: rate).line(id: 1)
    }
}

extension Topic: ExpressibleByArgument {
    public init?(argument: String) {
        guard Pieces.current.guide.topics.names.contains(argument) else { return nil }
        self.init(argument)
    }
}
