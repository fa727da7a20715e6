import ArgumentParser
import Glibc
import Journal
import SystemPackage

extension Sessions {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List recorded sessions, a line each, the oldest first.",
            discussion: """
                The columns are when it began, by this machine's time zone, the piece, the theme that it began with, how long it is, the \
                file's size, how it ended, and the journal. Behind it stands what else there is to know. --json has the time in UTC.

                Only the beginning and the last line of each journal are read, so that thousands are listed at once. --full reads each to \
                its end: how long somebody was there, how often which chime was played, and whether the journal is damaged.

                EXAMPLES
                  thrum sessions list
                  thrum sessions list --from yesterday
                  thrum sessions list --from 2026-11-01 --to 2026-11-30 | grep ' glass '
                  thrum sessions list --sort length --full
                  thrum sessions list --reverse | head
                  thrum sessions list visits/*.jsonl
                  thrum sessions list --json | jq '.[] | select(.theme == "glass") | .journal'
                """)

        enum Order: String, CaseIterable, ExpressibleByArgument { case started, length, bytes }

        @Argument(help: "Only these; all of the directory where none is named. \(SessionArgument.words)",
                  completion: SessionArgument.completion)
        var sessions: [SessionArgument] = []

        @Option(help: "Only those that began on this day or later, by this machine's time zone: a date, today or yesterday.")
        var from: String?

        @Option(help: "Only those that began on this day or before.")
        var to: String?

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
            let (first, last) = (try day(from, "--from"), try day(to, "--to"))
            guard first.map({ $0 <= last ?? $0 }) ?? true else {
                throw failure("--to: expected no day before --from, found \(to ?? "")", .validationFailure)
            }
            var entries = try read(SessionDays(from: first, to: last))
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
                if entries.isEmpty, let path = folder.path {
                    writeToStandardError("there is no session in \(path) \(first ?? last == nil ? "yet" : "of these days")\n")
                }
            }
        }

        private func day(_ word: String?, _ option: String) throws -> String? {
            guard let word else { return nil }
            guard let day = SessionDays.day(word, now: time(nil)) else {
                throw failure("\(option): expected a date such as 2026-11-23, today or yesterday, found \"\(word)\"", .validationFailure)
            }
            return day
        }

        private func read(_ days: SessionDays) throws -> [SessionEntry] {
            func isWanted(_ path: FilePath) -> Bool { days.contains(SessionEntry.header(path).flatMap { SessionStart($0.started) }) }
            guard !sessions.isEmpty else {
                return try folder.read().filter { isWanted($0.path) }.map { SessionEntry($0.path, bytes: $0.bytes, isFull: full) }
            }
            return try sessions.compactMap { argument in
                let session = try argument.file(in: folder.path, mayBeEmpty: true)
                guard isWanted(session.path) else { return nil }
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
