import ArgumentParser
import Escaping
import Glibc
import JournalFile
import SystemPackage
import Units
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

/// Sessions as a table for people: a line with headings, and a line for each session.
struct SessionTable {
    let lines: [String]

    private static let heading = ["started", "piece", "theme", "length", "size", "end", "journal"]
    /// The text of an empty cell.
    private static let nothing = "-"
    /// The indices of the table's columns that have numbers and so are aligned to the right: the length and the size.
    private static let numbers = 3...4

    /// Makes the table, which has no lines where `entries` is empty. `time` formats an instant, in seconds since 1970-01-01 in UTC.
    init(_ entries: [SessionEntry], time: (Int) -> String = { InstantText.local($0, "%Y-%m-%d %H:%M:%S") }) {
        let rows = entries.isEmpty ? [] : [Self.heading] + entries.map { Self.row($0, time) }
        let widths = Self.heading.indices.map { column in rows.map { $0[column].columns }.max() ?? 0 }
        lines = rows.map { row in
            row.enumerated().map { column, cell in
                if column == row.count - 1 { return cell }
                return Self.numbers.contains(column) ? cell.alignedRight(to: widths[column]) : cell.padded(to: widths[column])
            }.joined(separator: "  ")
        }
    }

    private static func row(_ entry: SessionEntry, _ time: (Int) -> String) -> [String] {
        guard let session = entry.session else {
            return [nothing, nothing, nothing, nothing, entry.size, nothing, "\(entry.journal)  (\(entry.objection))"]
        }
        let (header, notes) = (session.header, entry.notes)
        // A start that is not an instant is shown unchanged.
        let started = SessionStart(header.started).map { time($0.instant) } ?? (header.started.isEmpty ? nothing : header.started.printable)
        return [started, header.experience.printable, header.theme.name.printable, Seconds(session.seconds).clock(1),
                entry.size, session.end?.rawValue ?? nothing, entry.journal + (notes.isEmpty ? "" : "  (\(notes.joined(separator: ", ")))")]
    }
}

/// The start of a session, from its journal's header: an instant in UTC such as `2026-11-23T13:00:05.123Z`.
struct SessionStart {
    /// The instant in seconds since 1970-01-01 in UTC, rounded down.
    let instant: Int

    /// Reads a start from a journal's header. Nil where `started` is not such an instant; a simulated session's start is other text.
    init?(_ started: String) {
        let form = /([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]+)?Z/
        guard let text = started.wholeMatch(of: form), let year = Int32(text.1), let month = Int32(text.2), let day = Int32(text.3),
              let hour = Int32(text.4), let minute = Int32(text.5), let second = Int32(text.6) else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, month - 1, day)
        (time.tm_hour, time.tm_min, time.tm_sec) = (hour, minute, second)
        instant = timegm(&time)
    }
}

/// A range of days on which sessions began, in this machine's time zone.
struct SessionDays {
    /// The dates of the first and of the last day, such as `2026-11-23`; nil where the range is open.
    private let first: String?
    private let last: String?
    /// Returns the local date of an instant, which is in seconds since 1970-01-01 in UTC.
    private let date: (Int) -> String

    /// Makes the range from `first` to `last`, each a date as `day` returns it.
    init(from first: String?, to last: String?, date: @escaping (Int) -> String = SessionDays.localDate) {
        self.first = first
        self.last = last
        self.date = date
    }

    static func localDate(_ instant: Int) -> String { InstantText.local(instant, "%Y-%m-%d") }

    /// Returns the date that `word` means: a date, `today` or `yesterday`. Nil where `word` means none. `now` is in seconds since
    /// 1970-01-01 in UTC.
    static func day(_ word: String, now: Int, date: (Int) -> String = SessionDays.localDate) -> String? {
        switch word {
        case "today": return date(now)
        case "yesterday":
            // Days have 23 to 25 hours, so noon in UTC is taken, and 24 hours subtracted.
            guard let today = SessionStart("\(date(now))T12:00:00Z") else { return nil }
            return String(InstantText.utc(today.instant - 86_400).prefix(10))
        default:
            guard word.utf8.count == 10, let noon = SessionStart("\(word)T12:00:00Z"),
                  InstantText.utc(noon.instant).hasPrefix(word) else { return nil }
            return word
        }
    }

    /// Whether a session that began at `start` is in the range. A range that is open on both sides contains every session, even one whose
    /// start is unknown (nil).
    func contains(_ start: @autoclosure () -> SessionStart?) -> Bool {
        guard first != nil || last != nil else { return true }
        guard let day = start().map({ date($0.instant) }) else { return false }
        return first ?? day <= day && day <= last ?? day
    }
}
