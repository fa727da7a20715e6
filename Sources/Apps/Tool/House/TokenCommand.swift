import ArgumentParser
import Wire

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Tokens, by which others may connect to thrumd over HTTP: make one, list them, revoke one.",
        discussion: "thrumd keeps a digest of each, and not the token itself.",
        subcommands: [Add.self, List.self, Revoke.self])

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Make a token, and print it. It is shown this once.",
            discussion: """
                A page shows it as a subprotocol of its WebSocket, thrum.token.TOKEN beside thrum; other programs as a header, \
                Authorization: Bearer TOKEN. Only root and thrumd's own user may make one for an operator.

                EXAMPLES
                  thrum token add console --role operator
                  thrum token add wall --role watch
                  thrum token add shop+phone --role volume
                """)

        @Argument(help: "Who has it: letters, digits, and . _ -; anna+phone is another token of anna.")
        var name: String

        @Option(help: "What they may do: visitor, player, watch, volume or operator.")
        var role: Role

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let answer: NewToken = try await daemon.converse { [name, role] in
                try await $0.result(of: "token.add", ["name=\(name)", "role=\(role.rawValue)"])
            }
            print(answer.token)
        }
    }

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List who has a token: name, role and since when, a line each.",
            discussion: """
                EXAMPLES
                  thrum token list
                  thrum token list --json
                """)

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let list: TokenList = try await daemon.converse { try await $0.result(of: "token.list") }
            if json { return print(try JSONReport.text(list)) }
            for token in list.tokens {
                let created = InstantText.utc(token.created)
                print("\(token.name)  \(token.role.rawValue)  \(created)")
            }
        }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "revoke",
            abstract: "Make a token worthless. Whoever is connected by it is cut off.",
            discussion: """
                EXAMPLES
                  thrum token revoke console
                """)

        @Argument(help: "Who has it, as `thrum token list` tells.")
        var name: String

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let receipt: Receipt = try await daemon.converse { [name] in try await $0.result(of: "token.revoke", ["name=\(name)"]) }
            print("\(name) is revoked" + (receipt.notKept.map { ", but only until thrumd starts again: \($0)" } ?? ""))
        }
    }
}

extension Role: ExpressibleByArgument {}
