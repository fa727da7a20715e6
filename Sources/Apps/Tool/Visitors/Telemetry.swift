import ArgumentParser
import Escaping
import Experience
import Journal
import JournalFile
import Offline
import SystemPackage

struct Telemetry: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "telemetry",
        abstract: "What visitors did, out of recorded sessions: figures of one, tables of many.", subcommands: [Export.self, Show.self])

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export",
            abstract: "Write what many sessions have in common, as a table.",
            discussion: """
                \(tables)

                The table is that of the piece that the sessions are of. Where they are of several, --experience says which, and the \
                others are left out, which is no error. The last column, `session`, says which session a line is from; --name puts it \
                first. The column before it, `after_damage`, is true where something above the line is missing from the journal or was \
                changed, and with --per-session `damaged`, where it is anywhere. --from, --to and --mark take the lines told \
                within a part of each session; the rules play up what comes before. A piece's page in docs/ explains its columns. A \
                journal that cannot be read is left out, and named when all others are exported; then the exit status is 65.

                EXAMPLES
                  thrum telemetry export sessions/*.jsonl -o scrolls.csv
                  thrum telemetry export --per-session newest newest-1
                  thrum telemetry export --format jsonl sessions/*.jsonl | jq .p_churn
                """)

        @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
        var journals: [SessionArgument]

        @Option(help: "csv or jsonl, which is JSON Lines.")
        var format: TelemetryText.Format = .csv

        @Option(help: "The table, where the piece has several; its first by default.")
        var table: String?

        @Flag(help: "A line for each session instead of one for each thing that it tells.")
        var perSession = false

        @Flag(help: "Begin each line with its session, the journal's name without .jsonl, in place of ending with it.")
        var name = false

        @Option(help: "The experience whose sessions these are. (default: that of the sessions)")
        var experience: String?

        @OptionGroup var part: CutOption

        @Option(name: .shortAndLong, help: "The file; - for standard output.")
        var output = FileArgument(argument: "-")

        @Flag(name: .shortAndLong, help: "Replace an existing file.")
        var force = false

        @OptionGroup var rules: RulesOption

        @OptionGroup var folder: SessionsOption

        func validate() throws {
            guard !perSession || part.cut == .whole else {
                throw ValidationError("--per-session: expected none beside --from, --to and --mark: its lines are of whole sessions")
            }
        }

        /// The pieces that have tables.
        private static var pieces: [Declaration] { Pieces.current.all.declarations.filter { !$0.telemetry.isEmpty } }

        private static var tables: String {
            pieces.flatMap { piece in
                piece.telemetry.map { "\(piece.name), \($0.topic == nil ? "--per-session" : "--table " + $0.name): \($0.words)" }
            }.joined(separator: "\n")
        }

        /// Returns the name of the requested experience, or else of the experience of the sessions. Sessions of pieces without telemetry
        /// are ignored. Throws an exit status.
        private func wantedExperience(_ journals: [SessionFile]) throws -> String {
            if let experience { return experience }
            let names = journals.compactMap { SessionEntry.header($0.path)?.experience }
            let known = Self.pieces.map(\.name)
            let counts = Dictionary(grouping: names.filter(known.contains)) { $0 }.mapValues(\.count).sorted { $0.key < $1.key }
            switch counts.count {
            case 0:
                for journal in journals { warn(Self.objection(to: journal)) }
                throw Exit.data
            case 1: return counts[0].key
            default:
                let found = counts.map { "\($0.key) × \($0.value)" }.joined(separator: ", ")
                throw failure("--experience: expected one of them, because the sessions are of several pieces, found \(found)",
                              .validationFailure)
            }
        }

        /// Returns the reason why a journal cannot be exported: its piece has no telemetry, or the journal cannot be read.
        private static func objection(to journal: SessionFile) -> String {
            do {
                var scan = try JournalScan(journal.path)
                return "\(journal): the experience is \(try scan.header().experience), which has no telemetry"
            } catch {
                return (error as? JournalFault)?.description(file: journal.name) ?? "\(journal): \(error)"
            }
        }

        private func wantedTable(of experience: String) throws -> TelemetryTable {
            let tables = (Self.pieces.first { $0.name == experience }?.telemetry ?? []).filter { ($0.topic == nil) == perSession }
            if let table, !tables.isEmpty, !tables.contains(where: { $0.name == table }) {
                let names = tables.map(\.name).joined(separator: ", ")
                throw failure("--table: expected one of \(names), found \"\(table)\"", .validationFailure)
            }
            guard let table = tables.first(where: { self.table == nil || $0.name == self.table }) else {
                let fitting = Self.pieces.filter { $0.telemetry.contains { ($0.topic == nil) == perSession } }
                let known = fitting.map(\.name).joined(separator: ", ")
                if perSession, Self.pieces.contains(where: { $0.name == experience }) {
                    throw failure("--per-session: expected sessions of \(known), found one of \(experience)", .validationFailure)
                }
                throw failure("--experience: expected one of \(known), found \"\(experience)\"", .validationFailure)
            }
            return table
        }

        func run() throws {
            let (journals, missing) = try self.journals.found(in: folder.path)
            if let missing, journals.isEmpty { throw missing }
            let experience = try wantedExperience(journals)
            let text = TelemetryText(format, try wantedTable(of: experience), namesSessions: name)
            let isComplete: Bool
            do {
                isComplete = output.isStandardStream ? try write(text, of: journals, experience, to: .standardOutput)
                    : try create(output.path, from: journals.first?.path, replaces: force) {
                        try write(text, of: journals, experience, to: $0)
                    }
            } catch let errno as Errno {
                throw failure("\(output.isStandardStream ? "standard output" : output.description): \(errno)", Exit.inputOutput)
            }
            if !isComplete || missing != nil { throw Exit.data }
        }

        /// Writes the table, and returns whether every journal could be read.
        private func write(_ text: TelemetryText, of journals: [SessionFile], _ experience: String,
                           to file: FileDescriptor) throws -> Bool {
            try file.writeAll(text.heading.utf8)
            journals.forEach { rules.noteModel(of: $0) }
            let bar = ProgressBar("exporting")
            var (others, unread): ([String: Int], [String]) = ([:], [])
            for (index, journal) in journals.enumerated() {
                let reading = TelemetryReading(journal.path, named: journal.name, session: journal.session, for: text, cut: part.cut,
                                               of: experience, by: rules.forRecords, Pieces.current.all)
                if let log = reading.log {
                    reading.notes.forEach(warn)
                    try file.writeAll(text.lines(log).utf8)
                } else if let piece = reading.otherPiece {
                    others[piece, default: 0] += 1
                } else {
                    unread += reading.notes
                }
                bar.show(Double(index + 1) / Double(journals.count))
            }
            bar.clear()
            if !others.isEmpty {
                let pieces = others.sorted { $0.key < $1.key }.map { "\($0.key.printable) × \($0.value)" }.joined(separator: ", ")
                warn("left out, because they are of other pieces than \(experience): \(pieces)")
            }
            // What is wrong comes last, so that nothing hides it.
            unread.forEach(warn)
            if !unread.isEmpty { warn("\(unread.count) of \(journals.count) journals could not be read; all others are exported") }
            return unread.isEmpty
        }
    }
}

extension Telemetry {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Say what a session was like, and draw it.",
            discussion: """
                EXAMPLES
                  thrum telemetry show session.jsonl --picture session-churn.svg
                  thrum telemetry show newest --json | jq '.quantities[0].median'
                """)

        @Argument(help: SessionArgument.help, completion: SessionArgument.completion)
        var session: SessionArgument

        @Flag(help: "As JSON, for scripts.")
        var json = false

        @OptionGroup var folder: SessionsOption

        @OptionGroup var rules: RulesOption

        @OptionGroup var drawing: StatisticsFile

        func run() throws {
            let journal = try session.file(in: folder.path)
            rules.noteModel(of: journal)
            var statistics: (any Statistics)?
            try journal.reading {
                var replay = try Replay(journal.path, by: rules.forRecords, Pieces.current.all)
                if let piece = replay.run?.declaration {
                    try drawing.check(piece)
                    statistics = piece.statistics?.init()
                    if statistics == nil { warn("\(journal): warning: the experience is \(piece.name), which has no statistics") }
                }
                while try replay.step() != nil {
                    for announcement in replay.announcements { statistics?.add(announcement) }
                }
                try replay.finish()
                if let warning = replay.integrity.warning(journal) { warn(warning) }
            }
            guard let report = statistics?.report else { return }
            try drawing.draw(report, title: journal.title, beside: journal.path)
            print(json ? try JSONReport.text(StatisticsObject(report: report, name: journal.name))
                : StatisticsText(report: report, name: journal.name).lines.joined(separator: "\n"))
        }
    }
}

extension TelemetryText.Format: ExpressibleByArgument {}
