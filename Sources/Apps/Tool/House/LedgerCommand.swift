import ArgumentParser
import ControlSocket
import Escaping
import SystemPackage
import Wire

struct LedgerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ledger",
        abstract: "A household's ledger: its balances, or all entries as a table.",
        discussion: "Each entry moves amounts between accounts. Its postings sum to zero in each currency, and so does the whole ledger.",
        subcommands: [Balances.self, Export.self])

    struct Balances: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "balances",
            abstract: "Show what each account has: account, amount and currency, a line each.",
            discussion: """
                EXAMPLES
                  thrum ledger balances
                  thrum ledger balances --household anna --json
                """)

        @OptionGroup var household: HouseholdOption

        @Flag(help: "As JSON, for scripts. It has the names of all households, too.")
        var json = false

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let pairs = try household.pairs
            let balances: LedgerBalances = try await daemon.converse {
                try await $0.result(of: "ledger.balances", pairs)
            }
            if json { return print(try JSONReport.text(balances)) }
            for balance in balances.balances { print("\(balance.account)  \(balance.amount) \(balance.currency)") }
        }
    }

    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write all entries of a household as a table, a line for each posting.",
            discussion: """
                The sums are verified: each entry's postings sum to zero in each currency, and all of them come to the balances that \
                thrumd tells. Where they do not, no table is written, and the exit status is 65. An entry without postings has a line \
                without an account.

                EXAMPLES
                  thrum ledger export --household home -o home.csv
                """)

        @OptionGroup var household: HouseholdOption

        @Option(name: .shortAndLong, help: "The file; - for standard output.")
        var output = FileArgument(argument: "-")

        @Flag(name: .shortAndLong, help: "Replace an existing file.")
        var force = false

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let pairs = try household.pairs
            let table: LedgerTable = try await daemon.converse { exchange in
                var table = LedgerTable()
                var part: LedgerEntries
                repeat {
                    part = try await exchange.result(of: "ledger.entries", pairs + ["after=\(table.last)", "limit=1000"])
                    table.add(part)
                } while !part.entries.isEmpty
                table.verify(try await exchange.result(of: "ledger.balances", pairs + ["upTo=\(table.last)"]))
                return table
            }
            if let problem = table.problem { throw failure(problem, Exit.data) }
            do {
                if output.isStandardStream { return try write(table, to: .standardOutput) }
                try create(output.path, from: nil, replaces: force) { try write(table, to: $0) }
            } catch let errno as Errno {
                throw failure("\(output.isStandardStream ? "standard output" : output.description): \(errno)", Exit.inputOutput)
            }
        }

        private func write(_ table: LedgerTable, to file: FileDescriptor) throws { try file.writeAll(table.text.utf8) }
    }
}

/// A household's ledger as CSV (RFC 4180), with its balances verified.
struct LedgerTable: Sendable {
    private(set) var text = "number,time,household,key,kind,account,currency,amount,note\r\n"
    /// The number, in the ledger, of the last entry that the table has; 0 while it is empty.
    private(set) var last: Int64 = 0
    /// The first balance that thrumd reports otherwise than the entries add up to, in words; nil where all agree.
    private(set) var problem: String?
    private var sums: [Account: Int] = [:]

    private struct Account: Hashable {
        var account: String
        var currency: String
    }

    mutating func add(_ part: LedgerEntries) {
        for entry in part.entries {
            last = max(last, entry.number)
            var totals: [String: Int] = [:]
            let time = InstantText.utc(entry.created)
            let start = ["\(entry.number)", time] + [part.household, entry.key, entry.kind].map(CSV.text)
            let note = entry.note == "null" ? "" : CSV.text(entry.note)
            for posting in entry.postings {
                totals[posting.currency, default: 0] += posting.amount
                sums[Account(account: posting.account, currency: posting.currency), default: 0] += posting.amount
                text += CSV.line(start + [CSV.text(posting.account), CSV.text(posting.currency), "\(posting.amount)", note])
            }
            if entry.postings.isEmpty { text += CSV.line(start + ["", "", "", note]) }
            if let wrong = totals.first(where: { $0.value != 0 }) {
                problem = problem ?? "entry \(entry.number): its postings sum to \(wrong.value) \(wrong.key), not to zero"
            }
        }
    }

    /// Compares the sums of the entries with `reported`, the balances that thrumd reports for the time of the last entry. Stores the first
    /// difference in `problem`.
    mutating func verify(_ reported: LedgerBalances) {
        var left = sums
        for balance in reported.balances {
            let sum = left.removeValue(forKey: Account(account: balance.account, currency: balance.currency)) ?? 0
            guard sum != balance.amount else { continue }
            problem = problem ?? "\(balance.account): the entries come to \(sum) \(balance.currency), and thrumd tells \(balance.amount)"
        }
        if let missing = left.keys.first { problem = problem ?? "\(missing.account): thrumd tells no balance in \(missing.currency)" }
    }
}
