import ArgumentParser
import ControlSocket
import FoundationEssentials
import SystemPackage
import Wire

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Documents by which the running piece goes: propose one, see what it changes, approve it, publish it.",
        discussion: """
            Two people publish: whoever has proposed a document cannot approve it. On the control socket you are the user that you are \
            logged in as. A published version is in force at once, and stays until the next one of its kind.

            EXAMPLES
              thrum config show terms >terms.json
              thrum config propose terms terms.json
              thrum config diff terms --outlook
              thrum config approve terms 4        (somebody else)
              thrum config publish terms 4
              thrum config rollback terms
            """,
        subcommands: [
            Propose.self, Diff.self, Approve.self, Publish.self, Withdraw.self, Rollback.self, History.self, Show.self, Export.self,
            Apply.self,
        ])

    struct Propose: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "propose",
            abstract: "Propose a document. Prints what it changes.",
            discussion: """
                A document with a fault is not proposed: exit status 65, and each fault names its field.

                EXAMPLES
                  thrum config propose terms terms.json
                  thrum config propose terms terms.json --outlook
                """)

        @OptionGroup var document: DocumentKind

        @Argument(help: "Its file: a JSON object.", completion: .file(extensions: ["json"]))
        var file: FileArgument

        @Flag(help: "Also simulate what it leads to, which takes seconds.")
        var outlook = false

        @OptionGroup var daemon: Daemon

        func run() async throws {
            try await daemon.converse { [kind = document.kind, file, outlook] exchange in
                try await exchange.propose(kind, ["document=@\(file.word)"], outlook: outlook)
            }
        }
    }

    struct Rollback: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rollback",
            abstract: "Propose an earlier version's document once more, to the byte. Somebody else must approve it.",
            discussion: """
                EXAMPLES
                  thrum config rollback terms
                  thrum config rollback terms 2
                """)

        @OptionGroup var document: DocumentKind

        @Argument(help: "The version to go back to; 0 for the standard document. (default: the one before the one in force)")
        var version: Int?

        @OptionGroup var daemon: Daemon

        func run() async throws {
            try await daemon.converse { [kind = document.kind, version] exchange in
                var wanted = version
                if wanted == nil {
                    let inForce: DocumentReport = try await exchange.result(of: "config.get", ["kind=\(kind)"])
                    guard let former = inForce.former else {
                        throw failure("the standard \(kind) is in force, and there is none before it", Exit.data)
                    }
                    wanted = former
                }
                try await exchange.propose(kind, ["copyOf=\(wanted ?? 0)"])
            }
        }
    }

    struct Diff: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "diff",
            abstract: "Show what a version, or a file, changes of what it takes the place of.",
            discussion: """
                Exit status 0, or 65 where it has a fault.

                EXAMPLES
                  thrum config diff terms
                  thrum config diff terms 4 --json
                  thrum config diff terms --file terms.json
                """)

        @OptionGroup var document: DocumentKind

        @Argument(help: "The version. (default: the newest)")
        var version: Int?

        @Option(help: "A file that is not proposed yet, instead of a version.", completion: .file(extensions: ["json"]))
        var file: FileArgument?

        @Flag(help: "Also simulate what it leads to, which takes seconds.")
        var outlook = false

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @OptionGroup var daemon: Daemon

        func validate() throws {
            if version != nil, file != nil { throw ValidationError("--file: expected either a version or a file") }
        }

        func run() async throws {
            var pairs = ["kind=\(document.kind)"]
            if let version { pairs.append("version=\(version)") }
            if let file { pairs.append("document=@\(file.word)") }
            let wanted = pairs
            let diff = try await daemon.converse { [outlook] in try await $0.diff(wanted, outlook: outlook) }
            Swift.print(json ? try JSONReport.text(diff) : DiffText(diff).lines(coloured: Terminal.hasColours).joined(separator: "\n"))
            if !diff.objections.isEmpty { throw Exit.data }
        }
    }

    struct Approve: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "approve",
            abstract: "Approve a version that somebody else has proposed.",
            discussion: """
                EXAMPLES
                  thrum config approve terms 4
                """)

        @OptionGroup var version: DocumentName
        @OptionGroup var daemon: Daemon

        func run() async throws { try await version.step("config.approve", daemon) }
    }

    struct Publish: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "publish",
            abstract: "Put an approved version in force, at once.",
            discussion: """
                EXAMPLES
                  thrum config publish terms 4
                """)

        @OptionGroup var version: DocumentName
        @OptionGroup var daemon: Daemon

        func run() async throws { try await version.step("config.publish", daemon) }
    }

    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract: "Give up a version that is not published yet.",
            discussion: """
                EXAMPLES
                  thrum config withdraw terms 4
                """)

        @OptionGroup var version: DocumentName
        @OptionGroup var daemon: Daemon

        func run() async throws { try await version.step("config.withdraw", daemon) }
    }

    struct History: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "history",
            abstract: "List every version, and who proposed, approved and published it.",
            discussion: """
                A star marks the version in force.

                EXAMPLES
                  thrum config history
                  thrum config history terms --json
                """)

        @Argument(help: "Of this kind only.")
        var kind: String?

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let history: DocumentHistory = try await daemon.converse { [kind] in
                try await $0.result(of: "config.history", kind.map { ["kind=\($0)"] } ?? [])
            }
            print(json ? try JSONReport.text(history) : HistoryText.lines(history).joined(separator: "\n"))
        }
    }

    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Show a document as JSON, to be changed and proposed.",
            discussion: """
                EXAMPLES
                  thrum config show terms >terms.json
                  thrum config show terms 0
                """)

        @OptionGroup var document: DocumentKind

        @Argument(help: "Its version; 0 for the standard document. (default: the one in force)")
        var version: Int?

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let report: DocumentReport = try await daemon.converse { [kind = document.kind, version] in
                try await $0.result(of: "config.get", ["kind=\(kind)"] + (version.map { ["version=\($0)"] } ?? []))
            }
            print(try JSONReport.text(report.document))
        }
    }
}

/// The argument that names a kind of document.
struct DocumentKind: ParsableArguments {
    @Argument(help: "One of the kinds that `thrum config history` lists.")
    var kind: String
}

/// The arguments that name a version of a document.
struct DocumentName: ParsableArguments {
    @Argument(help: "One of the kinds that `thrum config history` lists.")
    var kind: String

    @Argument(help: "The version's number.")
    var version: Int

    /// Calls `method`, for instance the one that approves a version, for the named version. Prints the version's new state.
    func step(_ method: String, _ daemon: Daemon) async throws {
        let report: DocumentReport = try await daemon.converse { [kind, version] in
            try await $0.result(of: method, ["kind=\(kind)", "version=\(version)"])
        }
        print(HistoryText.line(report))
    }
}

extension ControlClient.Exchange {
    /// Proposes a document with the parameters `pairs`, and prints its version number and its changes.
    fileprivate func propose(_ kind: String, _ pairs: [String], outlook: Bool = false) async throws {
        let report: DocumentReport = try await result(of: "config.propose", ["kind=\(kind)"] + pairs)
        let diff = try await diff(["kind=\(kind)", "version=\(report.version)"], outlook: outlook)
        print(HistoryText.line(report))
        Swift.print(DiffText(diff).lines(coloured: Terminal.hasColours).joined(separator: "\n"))
    }

    fileprivate func diff(_ pairs: [String], outlook: Bool) async throws -> DocumentDiff {
        guard outlook else { return try await result(of: "config.diff", pairs) }
        let bar = ProgressBar("simulating")
        bar.show(0)
        let _: SubscriptionAnswer = try await result(of: "subscribe", ["topics=[\"\(Topic.outlook.name)\"]"])
        return try await result(of: "config.diff", pairs + ["outlook=true"], delay: .seconds(120)) { line in
            guard let progress = try? JSONDecoder().decode(Progress.self, from: Data(line)) else { return false }
            bar.show(progress.params.part)
            return true
        }
    }

    /// The part that is read of a notification of the topic `config.outlook`.
    private struct Progress: Decodable { var params: OutlookProgress }
    private struct SubscriptionAnswer: Decodable {}
}

// Carries documents from one machine to another.
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
