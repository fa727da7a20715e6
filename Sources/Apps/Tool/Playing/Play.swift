import ArgumentParser
import Fields
import FoundationEssentials
import Signals

struct Play: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "play",
        abstract: "Play a scenario live: a visitor written down as text.",
        discussion: """
            A scenario has one request a line, as `thrum send` takes them, and between them how long to wait:

              touch phase=began x=0.5 y=0.8
              400ms
              swipe direction=up velocity=2
              journal.mark text="the door opens"
              touch phase=ended
              2s

            Values with spaces are between quotes, " or '. A # begins a comment. Times count from the start, so that what one \
            line takes does not delay the next. The connection lasts as long as the scenario; what is held then is let go.

            EXAMPLES
              thrum play visitor.scenario
              thrum play examples/colorscroller.scenario --wait 5
            """)

    @Argument(help: "The scenario, a text file.", completion: .file(extensions: ["scenario"]))
    var scenario: FileArgument

    @OptionGroup var daemon: Daemon

    func run() async throws {
        let bytes: [UInt8]
        do {
            bytes = try readAll(scenario.path)
        } catch {
            throw failure("\(scenario): \(error)", Exit.noInput)
        }
        let played: Scenario
        do {
            played = try Scenario(String(decoding: bytes, as: UTF8.self), name: scenario.description)
        } catch let fault as Fault {
            throw failure("\(fault)", Exit.data)
        }
        try await daemon.converse { [scenario] exchange in
            let bar = ProgressBar("playing")
            let clock = ContinuousClock()
            let start = clock.now
            for (index, step) in played.steps.enumerated() {
                try await clock.sleep(until: start + step.at)
                _ = try await exchange.ask(try step.message.line(id: index), blame: "\(scenario):\(step.line): ")
                bar.show(step.at / max(played.duration, .milliseconds(1)))
            }
            try await clock.sleep(until: start + played.duration)
        }
    }
}
