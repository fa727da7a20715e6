import ArgumentParser
import FoundationEssentials
import Wire

extension Sessions {
    struct Key: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "key",
            abstract: "Print the public key by which the thrumd that runs signs its journals, for thrum verify --key.",
            discussion: """
                EXAMPLES
                  thrum sessions key > museum.pem
                  thrum sessions key --fingerprint
                """)

        @Flag(help: "The key's fingerprint alone, which signed journals name.")
        var fingerprint = false

        @OptionGroup var daemon: Daemon

        func run() async throws {
            let line = try Message(method: "status", pairs: []).line(id: 1)
            let status = try await daemon.converse { exchange in
                try JSONDecoder().decode(Answer<StatusReport>.self, from: Data(try await exchange.ask(line))).result
            }
            guard let key = status.journalKey else { throw failure("this thrumd signs no journals", Exit.unavailable) }
            print(fingerprint ? key.fingerprint : key.pem, terminator: fingerprint ? "\n" : "")
        }
    }
}
