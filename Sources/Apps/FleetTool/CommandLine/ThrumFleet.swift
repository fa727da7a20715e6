import ArgumentParser
import Escaping
import Fields
import Files
import Glibc
import SystemPackage
import Wire

/// The program `thrum-fleet` without its executable, so that tests can use it.
public enum FleetProgram {
    /// Runs the command line of this process. `events` are the events that stations send unless an option names others. Returns after
    /// success; otherwise ends the process with an exit status.
    public static func main(sending events: Set<String>) {
        // A connection that has ended is an error of the next call, and no reason to end.
        signal(SIGPIPE, SIG_IGN)
        do {
            try StandardEvents.$current.withValue(events) {
                var command = try ThrumFleet.parseAsRoot()
                try command.run()
            }
        } catch {
            let status = ThrumFleet.exitCode(for: error)
            // A request for help is no error; whoever threw an `ExitCode` has already said the reason.
            guard status.rawValue != 0, !(error is ExitCode) else { ThrumFleet.exit(withError: error) }
            say(CommandLineProblem.lines(ThrumFleet.fullMessage(for: error)).joined(separator: "\n"))
            ThrumFleet.exit(withError: status)
        }
    }
}

/// The events that stations send unless an option names others.
enum StandardEvents {
    /// The events that `FleetProgram.main` was given. Tasks inherit this value, threads do not.
    @TaskLocal static var current: Set<String> = []
}

struct ThrumFleet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "thrum-fleet",
        abstract: "Gather what happened at many boxes in one table.",
        discussion: """
            On each box `thrum-fleet station` sends rows of the finished journals to an MQTT broker. `thrum-fleet hub` takes them from \
            there and writes them to PostgreSQL, each exactly once, whatever fails on the way.

            FIRST STEPS
              thrum-fleet demo        three stations, a hub, a broker and a database on this machine
              thrum-fleet stations    who is there, and what is wrong
              thrum-fleet prove       whether a journal is as it was when its day was over
            """,
        version: version, subcommands: [StationCommand.self, HubCommand.self, StationsCommand.self, ProveCommand.self, DemoCommand.self])
}

/// The exit statuses of sysexits.h that this program uses.
enum Exit {
    static let noInput = ExitCode(66)
    static let unavailable = ExitCode(69)
    static let cannotCreate = ExitCode(73)
    static let alreadyRuns = ExitCode(75)
}

/// Prints each line of `message` to standard error, after the program's name.
func say(_ message: String) {
    let lines = message.unicodeScalars.split(separator: "\n").map { "thrum-fleet: \(String($0).printable)\n" }
    _ = try? FileDescriptor.standardError.writeAll(lines.joined().utf8)
}

/// Prints `message` to standard error, and returns `exit` so that the caller can throw it.
func failure(_ message: String, _ exit: ExitCode) -> ExitCode {
    say(message)
    return exit
}
