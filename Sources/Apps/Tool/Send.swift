import ArgumentParser
import Fields
import Signals
import Wire

struct Send: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send one request to thrumd and print its answer.",
        discussion: """
            What is held goes when the connection does, so a touch or tone sent like this is over at once; \
            `thrum play` holds one connection for a whole scenario, and --hold keeps this one open for a while.

            EXAMPLES
              thrum send chime name=unlock
              thrum send tone on=true frequency=440 level=-12 --hold 2
              thrum send feed.update blocksViewed=120
              thrum send param.set name=toast-cooldown value=5
              thrum send feed.cards from=0 count=5
              thrum send subscribe topics=toast,unlock
              thrum send haptic ahap=@storm.ahap
              thrum send stop
            """)

    @Argument(help: "One of \(methods.joined(separator: ", ")).", completion: .list(methods))
    var method: String

    private static let methods = Pieces.current.guide.methods.map(\.name)

    @Argument(help: "Parameters as key=value; a value may be any JSON, a list of words a,b, and an object @file.")
    var parameters: [String] = []

    @Option(help: "Seconds to keep the connection, and what it holds.")
    var hold: Double = 0

    @OptionGroup var daemon: Daemon

    func validate() throws {
        guard (0...86_400).contains(hold) else { throw ValidationError("--hold: expected 0 to 86400 (seconds), found \(hold)") }
    }

    func run() async throws {
        let line: [UInt8]
        let delay: Duration
        do {
            // A file's name may be any bytes; what is sent is text.
            let pairs = parameters.map { $0.contains("=@") ? $0 : CommandWords.repaired($0) }
            let message = try Message(method: method, pairs: pairs)
            line = try message.line(id: 1)
            delay = message.delay
        } catch let fault as Fault {
            throw failure("\(fault)", .validationFailure)
        }
        let ping = try Message(method: "status", pairs: []).line(id: 2)
        try await daemon.converse { [hold] exchange in
            print(String(decoding: try await exchange.ask(line, delay: delay), as: UTF8.self))
            var left = hold
            while left > 0 {
                try await Task.sleep(for: .seconds(min(1, left)))
                left -= 1
                // A daemon that is gone holds nothing.
                _ = try await exchange.ask(ping)
            }
        }
    }
}
