import ArgumentParser
import Wire

struct ClockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock", abstract: "Have the house live by the machine's clock again.", subcommands: [AcceptClock.self])
}

struct AcceptClock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept that the machine's clock has jumped.",
        discussion: """
            When the machine's clock jumps by more than five minutes while thrumd runs, the house goes on by its own time, and \
            thrum status has an issue that says so. Set the machine's clock right, and the issue is over. Where the machine's clock is \
            right already, this has its time count: days that lie in between are lived through at once. Exit status 65 where no jump \
            is waiting, 69 if thrumd cannot be reached.

            EXAMPLES
              thrum clock accept
            """)

    @Flag(help: "As JSON, for scripts.")
    var json = false

    @OptionGroup var daemon: Daemon

    func run() async throws {
        let report: ClockReport = try await daemon.converse { try await $0.result(of: "clock.accept") }
        if json { return print(try prettyJSON(report)) }
        print(Self.line(report) { LocalTimeText.format($0, "%a %F %T %Z") })
    }

    /// `time` writes an instant, seconds since 1970-01-01 in UTC.
    static func line(_ report: ClockReport, time: (Int) -> String) -> String {
        let seconds = Int(abs(report.jump).rounded())
        let way = report.jump < 0 ? "earlier" : "later"
        return "the house's time is \(time(Int(report.time.rounded(.down)))), \(seconds) s \(way) than before"
    }
}
