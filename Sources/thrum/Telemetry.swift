import ArgumentParser
import Journal
import Offline
import SystemPackage

struct Telemetry: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Learn from sessions of ColorScroller.", subcommands: [Export.self])

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Write what the scrolls of many sessions have in common, as a table.",
            discussion: """
                A line for each scroll: its 13 fields, and `churn`, which is true for the last \(TelemetryLog.churnReach) scrolls of a \
                session. With --sessions a line for each session. The fields are explained in docs/colorscroller.md.

                A journal that cannot be read is named, and left out; then the exit status is 65.

                EXAMPLES
                  thrum telemetry export sessions/*.jsonl -o scrolls.csv
                  thrum telemetry export --format jsonl sessions/*.jsonl | jq .p_churn
                """)

        @Argument(help: "Journals, .jsonl files.", completion: .file(extensions: ["jsonl"]))
        var journals: [String]

        @Option(help: "csv or jsonl, which is JSON Lines.")
        var format: TelemetryTable.Format = .csv

        @Flag(help: "A line for each session instead of one for each scroll.")
        var sessions = false

        @Option(name: .shortAndLong, help: "The file; - for standard output.")
        var output = "-"

        @Flag(name: .shortAndLong, help: "Replace an existing file.")
        var force = false

        func run() throws {
            let table = TelemetryTable(format, sessions ? .sessions : .scrolls)
            let isComplete: Bool
            do {
                isComplete = output == "-" ? try write(table, to: .standardOutput)
                    : try create(FilePath(output), from: journals.first.map { FilePath($0) }, replaces: force) { try write(table, to: $0) }
            } catch let errno as Errno {
                throw failure("\(output == "-" ? "standard output" : output): \(errno)", Exit.inputOutput)
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

        private func read(_ journal: String) -> TelemetryLog? {
            do {
                let log = try TelemetryLog(FilePath(journal))
                if log.session == nil { warn("\(journal): warning: the experience is \(log.experience.rawValue), which has no telemetry") }
                if let line = log.cutLine { warn("\(journal):\(line): warning: the session was cut off here; exported up to the cut") }
                return log
            } catch let fault as JournalFault {
                warn(fault.description(file: journal) + "; left out")
            } catch {
                warn("\(journal): \(error); left out")
            }
            return nil
        }
    }
}

extension TelemetryTable.Format: ExpressibleByArgument {}
