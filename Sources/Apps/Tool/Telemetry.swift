import ArgumentParser
import Journal
import Offline
import SystemPackage

struct Telemetry: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Learn from sessions of ColorScroller.", subcommands: [Export.self, Show.self])

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write what the scrolls of many sessions have in common, as a table.",
            discussion: """
                A line for each scroll: its 13 fields, and `churn`, which is true for the last \(TelemetryLog.churnReach) scrolls of a \
                session. With --sessions a line for each session; --name says in each line of a scroll which session it is from. The \
                fields are explained in docs/colorscroller.md.

                A journal that cannot be read is named, and left out; then the exit status is 65.

                EXAMPLES
                  thrum telemetry export sessions/*.jsonl -o scrolls.csv
                  thrum telemetry export --format jsonl sessions/*.jsonl | jq .p_churn
                """)

        @Argument(help: "Journals, .jsonl files; - for standard input.", completion: .file(extensions: ["jsonl"]))
        var journals: [FileArgument]

        @Option(help: "csv or jsonl, which is JSON Lines.")
        var format: TelemetryTable.Format = .csv

        @Flag(help: "A line for each session instead of one for each scroll.")
        var sessions = false

        @Flag(help: "Begin each scroll's line with its session: the journal's name without .jsonl.")
        var name = false

        @OptionGroup var rules: RulesOption

        @Option(name: .shortAndLong, help: "The file; - for standard output.")
        var output = FileArgument(argument: "-")

        @Flag(name: .shortAndLong, help: "Replace an existing file.")
        var force = false

        func run() throws {
            let table = TelemetryTable(format, sessions ? .sessions : .scrolls, namesSessions: name)
            let isComplete: Bool
            do {
                isComplete = output.isStandardStream ? try write(table, to: .standardOutput)
                    : try create(output.path, from: journals.first?.path, replaces: force) { try write(table, to: $0) }
            } catch let errno as Errno {
                throw failure("\(output.isStandardStream ? "standard output" : output.description): \(errno)", Exit.inputOutput)
            }
            if !isComplete { throw Exit.data }
        }

        /// Returns whether every journal could be read.
        private func write(_ table: TelemetryTable, to file: FileDescriptor) throws -> Bool {
            try file.writeAll(table.heading.utf8)
            let bar = ProgressBar("exporting")
            var isComplete = true
            for (place, journal) in journals.enumerated() {
                if let log = read(journal) {
                    try file.writeAll(table.lines(log).utf8)
                } else {
                    isComplete = false
                }
                bar.show(Double(place + 1) / Double(journals.count))
            }
            return isComplete
        }

        private func read(_ journal: FileArgument) -> TelemetryLog? {
            do {
                let log = try TelemetryLog(journal.path, by: rules.forRecords)
                if log.cutLine == 1 {
                    warn("\(journal): warning: there is no session in it")
                } else if log.session == nil {
                    warn("\(journal): warning: the experience is \(log.experience), which has no telemetry")
                } else if let line = log.cutLine {
                    warn("\(journal):\(line): warning: the session was cut off here; exported up to the cut")
                }
                if let line = log.changedLine { warn(Verify.warning(journal, line: line)) }
                return log
            } catch let fault as JournalFault {
                warn(fault.description(file: journal.description) + "; left out")
            } catch {
                warn("\(journal): \(error); left out")
            }
            return nil
        }
    }
}

extension Telemetry {
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say what a session was like, and draw it: discoveries, P(churn), pace.",
            discussion: """
                EXAMPLES
                  thrum telemetry show session.jsonl --picture session-churn.svg
                """)

        @Argument(help: "The journal, a .jsonl file.", completion: .file(extensions: ["jsonl"]))
        var journal: FileArgument

        @OptionGroup var rules: RulesOption

        @OptionGroup var drawing: StatisticsFile

        func run() throws {
            var statistics = SessionStatistics()
            let path = journal.path
            do {
                var replay = try Replay(path, by: rules.forRecords)
                while let cues = try replay.step() { statistics.add(cues) }
                try replay.finish()
                if let line = replay.changedLine { warn(Verify.warning(journal, line: line)) }
            } catch let fault as JournalFault {
                throw failure(fault.description(file: journal.description), Exit.data)
            } catch let errno as Errno {
                throw failure("\(journal): \(errno)", Exit.noInput)
            }
            try drawing.draw(statistics, title: path.lastComponent?.string ?? journal.description, beside: path)
            print(SessionTable.lines(statistics, name: journal.description).joined(separator: "\n"))
        }
    }
}

extension TelemetryTable.Format: ExpressibleByArgument {}
