import ArgumentParser
import Journal
import SystemPackage

extension Sessions {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List recorded sessions, a line each, the oldest first.",
            discussion: """
                The columns are when it began (UTC), the piece, the theme that it began with, how long it is, the file's size, how it \
                ended, and the journal. Behind it stands what else there is to know.

                Only the beginning and the last line of each journal are read, so that thousands are listed at once. --full reads each to \
                its end: how long somebody was there, how often which chime was played, and whether the journal is damaged.

                EXAMPLES
                  thrum sessions list
                  thrum sessions list | grep '^2026-11-.* glass '
                  thrum sessions list --sort length --full
                  thrum sessions list --reverse | head
                  thrum sessions list visits/*.jsonl
                  thrum sessions list --json | jq '.[] | select(.theme == "glass") | .journal'
                """)

        enum Order: String, CaseIterable, ExpressibleByArgument { case started, length, bytes }

        @Argument(help: "Only these; all of the directory where none is named. \(SessionArgument.words)",
                  completion: SessionArgument.completion)
        var sessions: [SessionArgument] = []

        @Flag(help: "Read each journal to its end.")
        var full = false

        @Option(help: "By what they are sorted, the smallest first: started, length or bytes. (default: as they are named)")
        var sort: Order?

        @Flag(help: "The other way round: the newest, the longest or the largest first.")
        var reverse = false

        @Flag(help: "As a JSON array, for scripts.")
        var json = false

        @OptionGroup var folder: SessionsOption

        func run() throws {
            var entries = try read()
            switch sort {
            case .started: entries.sort { ($0.session?.header.started ?? "", $0.journal) < ($1.session?.header.started ?? "", $1.journal) }
            case .length: entries.sort { ($0.session?.seconds ?? -1, $0.journal) < ($1.session?.seconds ?? -1, $1.journal) }
            case .bytes: entries.sort { ($0.bytes, $0.journal) < ($1.bytes, $1.journal) }
            case nil: break
            }
            if reverse { entries.reverse() }
            if json {
                print(try JSONReport.text(entries))
            } else {
                for line in SessionTable(entries).lines { print(line) }
                if entries.isEmpty, let path = folder.path { writeToStandardError("there is no session in \(path) yet\n") }
            }
        }

        private func read() throws -> [SessionEntry] {
            guard !sessions.isEmpty else { return try folder.read().map { SessionEntry($0.path, bytes: $0.bytes, isFull: full) } }
            return try sessions.map { argument in
                let session = try argument.file(in: folder.path, mayBeEmpty: true)
                do {
                    let file = try FileDescriptor.open(session.path, .readOnly)
                    let bytes = try file.closeAfter { try file.seek(offset: 0, from: .end) }
                    return SessionEntry(session.path, named: session.name, bytes: bytes, isFull: full)
                } catch let errno as Errno {
                    throw failure("\(session): \(errno)", Exit.noInput)
                }
            }
        }
    }
}
