import ArgumentParser
import Escaping
import Processes
import Wire

struct LogCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Show what thrumd has logged, also where nobody keeps its log.",
        discussion: """
            thrumd keeps the newest 1,000 records. Each line has the time, the level, the message, and what belongs to it. The setting \
            log says from which level on it logs. With --follow it lasts until it is interrupted, or until the daemon goes: exit \
            status 69.

            EXAMPLES
              thrum log
              thrum log --level warning
              thrum log --follow
              thrum log --count 20 --json
            """)

    /// The number of records that the daemon keeps.
    private static let most = 1_000

    @Option(help: "The least severe: trace, debug, info, notice, warning, error or critical.")
    var level = LogLevel.trace

    @Option(help: "So many of the newest, 1 to 1,000.")
    var count = Self.most

    @Flag(help: "Also what comes from now on.")
    var follow = false

    @Flag(help: "As JSON, a record a line.")
    var json = false

    @OptionGroup var daemon: Daemon

    func validate() throws {
        guard (1...Self.most).contains(count) else { throw ValidationError("--count: expected 1 to \(Self.most), found \(count)") }
    }

    func run() async throws {
        if follow { Interruption.endsProgram() }
        try await daemon.converse { [level, count, follow, json] exchange in
            func tell(after number: Int, _ count: Int) async throws -> Int {
                let records = try await LogPart.records(count) { before, count in
                    let bound = before.map { ["before=\($0)"] } ?? []
                    let answer: LogAnswer = try await exchange.result(
                        of: "log.list", ["after=\(number)", "level=\(level.rawValue)", "count=\(count)"] + bound)
                    return answer.records
                }
                for record in records {
                    let text = try json ? JSONReport.line(record)
                        : LogText.line(record) { InstantText.local($0, "%Y-%m-%d %H:%M:%S") }
                    try StandardOutput.write(line: Array(text.utf8))
                }
                return records.last?.number ?? number
            }
            var number = try await tell(after: 0, count)
            while follow {
                try await Task.sleep(for: .milliseconds(250))
                number = try await tell(after: number, Self.most)
            }
        }
    }
}

extension LogLevel: ExpressibleByArgument {}

/// Reads the log in several requests, because an answer with all of it may be megabytes long.
enum LogPart {
    /// The largest number of records in one answer.
    static let room = 200

    /// Returns the newest `count` records of the log, the oldest first. It asks for them in parts, by calls of `ask`. Each call returns the
    /// newest records whose number is below `before`; where that is nil, the newest of all. The second argument of `ask` limits their
    /// number. Throws the errors of `ask`.
    static func records(_ count: Int, ask: (_ before: Int?, _ count: Int) async throws -> [LogRecord]) async throws -> [LogRecord] {
        var records: [LogRecord] = []
        while true {
            let wanted = min(room, count - records.count)
            let part = try await ask(records.first?.number, wanted)
            records = part + records
            if part.count < wanted || records.count >= count { return records }
        }
    }
}

/// A log record as a line for people.
enum LogText {
    /// Returns `record` as a line. `time` formats an instant, in seconds since 1970-01-01 in UTC.
    static func line(_ record: LogRecord, time: (Int) -> String) -> String {
        let level = record.level.rawValue.padded(to: 8)
        let details = record.metadata.sorted { $0.key < $1.key }.map { "  \($0.key)=\($0.value)" }.joined()
        return "\(time(Int(record.time)))  \(level)  \(record.message)\(details)".printable
    }
}
