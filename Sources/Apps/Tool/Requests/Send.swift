import ArgumentParser
import ControlSocket
import Fields
import FoundationEssentials

struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send one request to thrumd, or a conversation, and print what it answers.",
        discussion: """
            What is held goes when the connection does, so a touch or tone sent like this is over at once; \
            `thrum play` holds one connection for a whole scenario. --hold keeps this one open for a while, and prints \
            the notifications that come meanwhile, a line each.

            With - in the place of the method it sends the lines of standard input on one connection, each as soon as the one before \
            is answered: a line of JSON-RPC as it stands, or a method and its parameters, as in a scenario of `thrum play`. A # \
            begins a comment. Answers are printed in the order of the lines, refusals among them, and notifications as they come. If \
            anything was refused the exit status is 65. A line that cannot be sent ends the conversation with status 64, but for \
            one that is typed.

            EXAMPLES
              thrum send chime.play name=unlock
              thrum send tone on=true frequency=440 level=-12 --hold 2
              thrum send feed.update blocksViewed=120
              thrum send param.set name=toast-cooldown value=5
              thrum send feed.cards first=0 count=5
              thrum send subscribe topics=toast,unlock --hold 60
              thrum send haptic.play ahap=@storm.ahap
              thrum send stop
              thrum send rpc.discover --result
              thrum send -
            """)

    @Argument(help: "One of \(methods.joined(separator: ", ")); or - for lines of standard input.", completion: .list(methods))
    var method: String

    private static let methods = Pieces.current.methods.names

    @Argument(help: "Parameters as key=value; a value may be any JSON, a list of words a,b, and an object @file.",
              completion: Completions.parameters)
    var parameters: [String] = []

    @Option(help: "Seconds to keep the connection, and what it holds, 0 to 86400.")
    var hold: Double = 0

    @Flag(help: "Print the answer's result alone, as a script wants it: keys sorted, one field a line.")
    var result = false

    @OptionGroup var daemon: Daemon

    func validate() throws {
        guard method != "-" || !result else { throw ValidationError("--result: expected a method beside it, found -") }
        guard (0...86_400).contains(hold) else { throw ValidationError("--hold: expected 0 to 86400 (seconds), found \(hold)") }
        guard method != "-" || parameters.isEmpty else {
            throw ValidationError("-: expected no parameters beside it, found \(parameters[0])")
        }
    }

    func run() async throws {
        if method == "-" { try await converse() } else { try await ask() }
    }

    private func converse() async throws {
        try await daemon.converse { [hold] exchange in
            var conversation = Conversation(exchange, heard: Self.wrote)
            try await conversation.run()
            try await Self.keep(exchange, for: hold)
            if conversation.isRefused { throw Exit.data }
        }
    }

    private func ask() async throws {
        let line: [UInt8]
        let delay: Duration
        do {
            // The name of a file may be any bytes; any other value is sent, and must be text.
            let pairs = parameters.map { $0.contains("=@") ? $0 : CommandWords.repaired($0) }
            let message = try Message(method: method, pairs: pairs)
            line = try message.line(id: 1)
            delay = message.delay
        } catch let fault as Fault {
            throw failure("\(fault)", .validationFailure)
        }
        try await daemon.converse { [hold, result] exchange in
            let answer = try await exchange.ask(line, delay: delay, heard: Self.wrote)
            try StandardOutput.write(line: result ? Self.result(of: answer) : answer)
            try await Self.keep(exchange, for: hold)
        }
    }

    private static func result(of answer: [UInt8]) throws -> [UInt8] {
        Array(try JSONReport.text(JSONDecoder().decode(Answer<JSONValue>.self, from: Data(answer)).result).utf8)
    }

    /// Keeps the connection open for `hold` seconds.
    private static func keep(_ exchange: ControlClient.Exchange, for hold: Double) async throws {
        let ping = try Message(method: "ping", pairs: []).line(id: 0)
        let clock = ContinuousClock()
        let end = clock.now + .seconds(hold)
        while clock.now < end {
            try await clock.sleep(until: min(end, clock.now + .milliseconds(50)))
            // A daemon that has ended fails this query. Notifications that have come are written before its answer.
            _ = try await exchange.ask(ping, heard: wrote)
        }
    }

    /// Writes `line` to standard output if it is a notification. Returns whether it is one.
    private static func wrote(_ line: [UInt8]) throws -> Bool {
        guard (try? JSONDecoder().decode(ReceivedNotification.self, from: Data(line))) != nil else { return false }
        try StandardOutput.write(line: line)
        return true
    }
}
