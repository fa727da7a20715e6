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
                  thrum sessions show session.jsonl --json | jq .events
                """)

        @Argument(help: "The journal, a .jsonl file; or newest, for that of --sessions.", completion: .file(extensions: ["jsonl"]))
        var journal = FileArgument(argument: "newest")

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @OptionGroup var folder: Folder

        func run() throws {
            let overview = try read(try chosen())
            if json {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
                print(String(decoding: try encoder.encode(overview), as: UTF8.self))
            } else {
                print(overview.lines.joined(separator: "\n"))
            }
        }

        private func chosen() throws -> FilePath {
            guard journal.word == "newest" else { return journal.path }
            guard let newest = try folder.read().last else { throw failure("there is no session yet", Exit.noInput) }
            return newest.path
        }

        private func read(_ path: FilePath) throws -> SessionOverview {
            do {
                guard let overview = try SessionOverview(path) else {
                    throw failure("\(path): there is no session in it", Exit.data)
                }
                if let line = overview.changedLine { warn(JournalIntegrity.warning(path, line: line)) }
                return overview
            } catch let fault as JournalFault {
                throw failure(fault.description(file: path.string), Exit.data)
            } catch let errno as Errno {
                throw failure("\(path): \(errno)", Exit.noInput)
            }
        }
    }
}
