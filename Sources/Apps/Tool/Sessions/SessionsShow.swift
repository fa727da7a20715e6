import ArgumentParser
import Escaping
import Journal
import SystemPackage

extension Sessions {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a session in a few lines: how long it was, how it ended, its events, its marks.",
            discussion: """
                --events lists all that happened, in order: when, what, and what the rules gave for it. With --json it is an array of the \
                journal's lines without the header, each with its time in `seconds`.

                EXAMPLES
                  thrum sessions show
                  thrum sessions show newest-1
                  thrum sessions show newest --events | grep unlock
                  thrum sessions show session.jsonl --json | jq .events
                  thrum sessions show newest --events --json | jq '.[] | select(.event == "swipe") | .seconds'
                """)

        @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
        var journal = SessionArgument(argument: "newest")

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @Flag(help: "A line for each event.")
        var events = false

        @OptionGroup var folder: SessionsOption

        func run() throws {
            let session = try journal.file(in: folder.path)
            if events { return try list(session) }
            let overview = try read(session)
            if json {
                print(try JSONReport.text(overview))
            } else {
                print(overview.lines.joined(separator: "\n"))
            }
        }

        private func list(_ session: SessionFile) throws {
            // Also when a line cannot be read: what was read before it is a whole array.
            if json { print("[") }
            defer { if json { print("]") } }
            do {
                if json {
                    try SessionEvents.json(of: session.path) { print($0.printableJSON) }
                } else {
                    try SessionEvents.forEach(in: session.path) { print($0) }
                }
            } catch let fault as JournalFault {
                throw failure(fault.description(file: session.name), Exit.data)
            } catch let errno as Errno {
                throw failure("\(session): \(errno)", Exit.noInput)
            }
        }

        private func read(_ session: SessionFile) throws -> SessionOverview {
            do {
                let overview = try SessionOverview(session.path, named: session.name, Pieces.current.all)
                if let warning = overview.warning { warn(warning) }
                return overview
            } catch let fault as JournalFault {
                throw failure(fault.description(file: session.name), Exit.data)
            } catch let errno as Errno {
                throw failure("\(session): \(errno)", Exit.noInput)
            }
        }
    }
}
