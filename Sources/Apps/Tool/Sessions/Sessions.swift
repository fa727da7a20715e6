import ArgumentParser
import Glibc
import JournalFile
import SystemPackage
import Wire

struct Sessions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sessions",
        abstract: "Recorded sessions: which there are, what is in one, and which to throw away; and the key that signs them.",
        subcommands: [List.self, Show.self, Prune.self, Key.self])

    struct Prune: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "prune",
            abstract: "Throw old sessions away.",
            discussion: """
                Those that --keep or --days asks to keep stay; without --yes it only says which would go. Only what thrumd has named \
                and what is a journal inside goes: everything else in the directory stays, and does not count.

                EXAMPLES
                  thrum sessions prune --keep 1000
                  thrum sessions prune --days 30 --yes
                """)

        @Option(help: "Keep so many of the newest, 1 and up.")
        var keep: Int?

        @Option(help: "Keep those of the last so many days, 1 to 36500.")
        var days: Int?

        @Flag(help: "Do it.")
        var yes = false

        @OptionGroup var folder: SessionsOption

        func validate() throws {
            guard keep != nil || days != nil else { throw ValidationError("expected --keep or --days, to say which stay") }
            if let keep, keep < 1 { throw ValidationError("--keep: expected 1 or more, found \(keep)") }
            if let days, !(1...36_500).contains(days) { throw ValidationError("--days: expected 1 to 36500, found \(days)") }
        }

        func run() throws {
            let sessions = try folder.read().filter(\.isNamedByThrumd)
            let oldest = days.map { time(nil) - $0 * 86_400 } ?? .max
            let newest = sessions.suffix(keep ?? 0).map(\.path)
            let doomed = sessions.filter { $0.modified < oldest && !newest.contains($0.path) && $0.isJournal }
            for session in doomed {
                do {
                    if yes { try session.remove() }
                } catch {
                    throw failure("\(session.path): \(error)", Exit.cannotCreate)
                }
                print((yes ? "removed " : "would remove ") + session.path.string)
            }
            if !doomed.isEmpty, !yes { print("\(doomed.count) of \(sessions.count); --yes does it") }
        }
    }
}

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
            let status: StatusReport = try await daemon.converse { try await $0.result(of: "status") }
            guard let key = status.journalKey else { throw failure("this thrumd signs no journals", Exit.unavailable) }
            print(fingerprint ? key.fingerprint : key.pem, terminator: fingerprint ? "\n" : "")
        }
    }
}
