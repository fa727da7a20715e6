import ArgumentParser
import Escaping
import Wire

struct ScheduleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schedule",
        abstract: "Show the week: opening hours, and which preset is for when.",
        discussion: """
            Seven days from today on, by this machine's time zone. Each line has the hours, the preset, and the name of the entry in \
            the settings' schedule, or the date that has hours of its own (docs/hearing.md). Exit status 69 if thrumd cannot be reached.

            EXAMPLES
              thrum schedule
              thrum schedule --json | jq '.spans[] | select(.isOpen)'
            """)

    @Flag(help: "As JSON, for scripts.")
    var json = false

    @OptionGroup var daemon: Daemon

    func run() async throws {
        let week: ScheduleWeek = try await daemon.converse { try await $0.result(of: "schedule.week") }
        if json { return print(try JSONReport.text(week)) }
        for line in ScheduleText(week, day: { InstantText.local($0, "%a %e %b") }, time: { InstantText.local($0, "%H:%M") }).lines {
            print(line)
        }
    }
}

/// The presets of a week as lines for people.
struct ScheduleText {
    private(set) var lines: [String] = []

    /// Makes the lines for `week`. `day` and `time` format an instant, in seconds since 1970-01-01 in UTC.
    init(_ week: ScheduleWeek, day: (Int) -> String, time: (Int) -> String) {
        guard !week.spans.isEmpty else {
            lines = ["the clock is not set, so the schedule does not count"]
            return
        }
        let width = week.spans.map(\.preset.columns).max() ?? 0
        var last = ""
        for span in week.spans {
            // A span over several days has one line, on its first day. The second before its end says on which day it ends.
            let (first, until) = (day(span.start), time(span.until))
            let end = day(span.until - 1) == first ? (until == "00:00" ? "24:00" : until) : "\(day(span.until)) \(until)"
            let hours = "\(time(span.start))–\(end)"
            let label = first == last ? String.spaces(first.count) : first
            last = first
            let entry = (span.entry ?? span.date).map { "  \($0)" } ?? ""
            let preset = entry.isEmpty && span.isOpen ? span.preset : span.preset.padded(to: width)
            lines.append("\(label)  \(hours)  \(preset)\(span.isOpen ? "" : "  closed")\(entry)")
        }
        if let chosen = week.chosen { lines.append("by hand until the schedule changes: \(chosen)") }
    }
}

struct ClockCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clock", abstract: "Have the house live by the machine's clock again.", subcommands: [AcceptClock.self])
}

struct AcceptClock: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "accept",
        abstract: "Accept that the machine's clock has jumped.",
        discussion: """
            When the machine's clock jumps by more than five minutes while thrumd runs, the house goes on by its own time, and \
            thrum status has an issue that says so. Set the machine's clock right, and the issue is over. Where the machine's clock is \
            right already, this has its time count: days that lie in between are lived through at once. Exit status 65 where no jump \
            is waiting, 69 if thrumd cannot be reached.

            EXAMPLES
              thrum clock accept
            """)

    @Flag(help: "As JSON, for scripts.")
    var json = false

    @OptionGroup var daemon: Daemon

    func run() async throws {
        let report: ClockReport = try await daemon.converse { try await $0.result(of: "clock.accept") }
        if json { return print(try JSONReport.text(report)) }
        print(Self.line(report) { InstantText.local($0, "%a %F %T %Z") })
    }

    /// Describes the time that thrumd has accepted. `time` formats an instant, in seconds since 1970-01-01 in UTC.
    static func line(_ report: ClockReport, time: (Int) -> String) -> String {
        let seconds = Int(abs(report.jump).rounded())
        let way = report.jump < 0 ? "earlier" : "later"
        return "the house's time is \(time(Int(report.time.rounded(.down)))), \(seconds) s \(way) than before"
    }
}
