import ArgumentParser
import FoundationEssentials
import SystemPackage
import Wire

// From one machine to another.
extension ConfigCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write all that was published, in its order, for `thrum config apply` on another machine.",
            discussion: """
                A line of JSON for each version, with who proposed, approved and published it.

                EXAMPLES
                  thrum config export >published.jsonl
                  thrum config export terms
                """)

        @Argument(help: "Of this kind only.")
        var kind: String?

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let lines = try await daemon.converse { [kind] exchange in
                let history: DocumentHistory = try await exchange.result(of: "config.history", kind.map { ["kind=\($0)"] } ?? [])
                var lines: [String] = []
                for version in history.versions where version.state == .published {
                    let name = ["kind=\(version.kind)", "version=\(version.version)"]
                    let report: DocumentReport = try await exchange.result(of: "config.get", name)
                    lines.append(try JSONReport.line(report))
                }
                return lines
            }
            for line in lines { print(line) }
        }
    }

    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "apply",
            abstract: "Put in force what was published on another machine, version by version, in its order.",
            discussion: """
                What is here already is passed over. A version that does not follow the one in force is refused, and so is all after it: \
                exit status 65. Only thrumd's own user and root may do this, since it names people who are not here.

                EXAMPLES
                  thrum config apply published.jsonl
                """)

        @Argument(help: "What `thrum config export` has written.", completion: .file())
        var file: FileArgument

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let lines: [Substring]
            do {
                lines = String(decoding: try readAll(file.path), as: UTF8.self).split(separator: "\n")
            } catch let errno as Errno {
                throw failure("\(file): \(errno)", Exit.noInput)
            }
            try await daemon.converse { [lines, file] exchange in
                for (index, line) in lines.enumerated() {
                    let request = Array(#"{"jsonrpc":"2.0","id":1,"method":"config.apply","params":{"published":\#(line)}}"#.utf8)
                    let answer = try await exchange.ask(request, blame: "\(file):\(index + 1): ")
                    print(HistoryText.line(try JSONDecoder().decode(Answer<DocumentReport>.self, from: Data(answer)).result))
                }
            }
        }
    }
}
