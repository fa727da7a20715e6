import ArgumentParser
import ControlSocket
import Escaping
import Glibc
import Signals
import Wire

struct HouseholdCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "household",
        abstract: "Households of which thrumd keeps something: list them, merge two, remove one, give one a secret.",
        discussion: "The one that is there now is neither merged nor removed. The ledger keeps all its entries.",
        subcommands: [List.self, Merge.self, Remove.self, Secret.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List households: name, since when nothing has changed, entries of the ledger, a line each.",
            discussion: """
                The last line says how many there are, and for how many there is room.

                EXAMPLES
                  thrum household list
                  thrum household list --json
                """)

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let list: HouseholdList = try await daemon.converse { exchange in
                var list: HouseholdList = try await exchange.result(of: "household.list", ["limit=1000"])
                while let last = list.households.last {
                    let pairs = [try Message.pair("after", last.name), "limit=1000"]
                    let part: HouseholdList = try await exchange.result(of: "household.list", pairs)
                    guard !part.households.isEmpty else { break }
                    list.households += part.households
                }
                return list
            }
            if json { return print(try JSONReport.text(list)) }
            for line in HouseholdText.lines(list) { print(line) }
        }
    }

    struct Merge: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "merge",
            abstract: "Forget a household, and give what it has to another one.",
            discussion: """
                The other one gets the balances, and what the piece says goes with them; its pet and its days stay its own. Without --yes \
                it only says what would be done. It cannot be undone, and refunds of the household that is forgotten are refused from \
                then on.

                EXAMPLES
                  thrum household merge ana anna
                  thrum household merge ana anna --yes
                """)

        @Argument(help: "The household that is forgotten.")
        var household: String

        @Argument(help: "The one that stays.")
        var into: String

        @Flag(help: "Do it.")
        var yes = false

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let other = into.printable
            let pairs = [try Message.pair("household", household), try Message.pair("into", into)]
            try await close(household, "household.merge", pairs, yes: yes, daemon,
                            words: HouseholdText.Words(done: "merged into \(other)", planned: "would be merged into \(other)"))
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Forget a household.",
            discussion: """
                An entry of the ledger takes its balances back to zero. Without --yes it only says what would be done. It cannot be \
                undone, and refunds of its purchases are refused from then on.

                EXAMPLES
                  thrum household remove ana
                  thrum household remove ana --yes
                """)

        @Argument(help: "The household.")
        var household: String

        @Flag(help: "Do it.")
        var yes = false

        @OptionGroup var daemon: Daemon

        func run() async throws {
            try await close(household, "household.remove", [Message.pair("household", household)], yes: yes, daemon,
                            words: HouseholdText.Words(done: "removed", planned: "would be removed"))
        }
    }
}

/// Prints what the household owns. If `yes`, also calls `method` with the parameters `pairs`, which makes thrumd forget the household.
private func close(_ household: String, _ method: String, _ pairs: [String], yes: Bool, _ daemon: Daemon,
                   words: HouseholdText.Words) async throws {
    let balances: LedgerBalances = try await daemon.converse { exchange in
        let balances: LedgerBalances = try await exchange.result(of: "ledger.balances", [try Message.pair("household", household)])
        if yes { let _: Receipt = try await exchange.result(of: method, pairs) }
        return balances
    }
    print(HouseholdText.line(household, balances, yes ? words.done : words.planned))
    if !yes { print("--yes does it") }
}

extension HouseholdCommand {
    struct Secret: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "secret",
            abstract: "Give a household a secret, which it says before it enters and spends, or take it away.",
            discussion: """
                The secret is the first line of standard input, so that no list of processes shows it. thrumd keeps a slow hash of it, and \
                not the secret itself. Who is there in the household's name has to enter again.

                EXAMPLES
                  thrum household secret anna
                  thrum household secret anna --remove
                """)

        @Argument(help: "The household's name.")
        var name: String

        @Flag(help: "The household has no secret from now on.")
        var remove = false

        @OptionGroup var daemon: Daemon

        func run() async throws {
            var pairs = [try Message.pair("household", name)]
            if !remove { pairs.append(try Message.pair("secret", try secret())) }
            let receipt: Receipt = try await daemon.converse { [pairs] in try await $0.result(of: "household.secret", pairs) }
            let caveat = receipt.notKept.map { ", but only until thrumd starts again: \($0)" } ?? ""
            print("\(name) has \(remove ? "no" : "another") secret" + caveat)
        }

        private func secret() throws -> String {
            let line = HiddenInput.line(asking: "The secret of \(name): ")
            guard let line, !line.isEmpty else { throw failure("expected the secret as a line of standard input, found none", Exit.data) }
            guard line.count <= HouseholdSecret.longest else {
                throw failure("expected a secret of at most \(HouseholdSecret.longest) characters", Exit.data)
            }
            return line
        }
    }
}

/// Reads a line that the terminal does not show during typing.
private enum HiddenInput {
    /// Returns the first line of standard input without its line end; nil at the end of the input. On a terminal, first prints `question`.
    static func line(asking question: String) -> String? {
        guard isatty(STDIN_FILENO) == 1 else { return readLine() }
        var shown = termios()
        guard tcgetattr(STDIN_FILENO, &shown) == 0 else { return readLine() }
        var hidden = shown
        hidden.c_lflag &= ~tcflag_t(ECHO)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer {
            tcsetattr(STDIN_FILENO, TCSAFLUSH, &shown)
            writeToStandardError("\n")
        }
        writeToStandardError(question)
        return readLine()
    }
}

/// Households as lines for people. Their names are made printable, because strangers chose them.
enum HouseholdText {
    /// The words for what becomes of a household: `done` after it was closed, `planned` before.
    struct Words {
        var done: String
        var planned: String
    }

    static func lines(_ list: HouseholdList) -> [String] {
        list.households.map { household in
            let updated = InstantText.utc(household.updated)
            let here = household.isHere ? "  there now" : ""
            let only = household.hasOnlySecret ? "  only a secret" : ""
            return "\(household.name.printable)  \(updated)  \(household.entries)\(here)\(only)"
        } + ["\(list.kept) of at most \(list.most)"]
    }

    /// Returns a line about a household for people. `fate` says what becomes of the household, and `balances` are those of its accounts.
    static func line(_ household: String, _ balances: LedgerBalances, _ fate: String) -> String {
        let amounts = balances.balances.filter { $0.amount != 0 }.map { "\($0.account.printable) \($0.amount) \($0.currency.printable)" }
        return "\(household.printable) \(fate)" + (amounts.isEmpty ? "" : ": " + amounts.joined(separator: ", "))
    }
}
