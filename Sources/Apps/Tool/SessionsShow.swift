import ArgumentParser
import FoundationEssentials
import Journal
import SystemPackage

extension Sessions {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "One in a few lines: how long it was, how it ended, its events, its marks.",
            discussion: """
                EXAMPLES
                  thrum sessions show
                  thrum sessions show newest-1
                  thrum sessions show session.jsonl --json | jq .events
                """)

        @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
        var journal = SessionArgument(argument: "newest")

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @OptionGroup var folder: SessionsOption

        func run() throws {
            let overview = try read(try journal.file(in: folder.path))
            if json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
                print(String(decoding: try encoder.encode(overview), as: UTF8.self))
            } else {
                print(overview.lines.joined(separator: "\n"))
            }
        }

        private func read(_ session: SessionFile) throws -> SessionOverview {
            do {
                guard let overview = try SessionOverview(session.path, named: session.name) else {
                    throw failure("\(session): there is no session in it", Exit.data)
                }
                if let line = overview.changedLine { warn(JournalIntegrity.warning(session, line: line)) }
                return overview
            } catch let fault as JournalFault {
                throw failure(fault.description(file: session.name), Exit.data)
            } catch let errno as Errno {
                throw failure("\(session): \(errno)", Exit.noInput)
            }
        }
    }
}
