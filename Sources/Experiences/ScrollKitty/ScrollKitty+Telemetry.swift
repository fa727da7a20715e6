import Experience
import Signals

// The tables that telemetry collects from households. docs/scrollkitty.md explains the columns.
extension ScrollKitty {
    static let losses = TelemetryTable("bypasses", of: "lost", saysWhen: true, columns: [
        TelemetryColumn("app") { (lost: Lost) in .word(lost.app) },
        TelemetryColumn("lost") { (lost: Lost) in .number(lost.lost) },
        TelemetryColumn("hp") { (lost: Lost) in .number(lost.total) },
    ])

    static let days = TelemetryTable("days", of: "summary", columns: [
        TelemetryColumn("day") { (summary: DaySummary) in .integer(summary.figures.day) },
        TelemetryColumn("date") { (summary: DaySummary) in TelemetryValue(summary.figures.date) },
        TelemetryColumn("hp") { (summary: DaySummary) in .number(summary.figures.hp) },
        TelemetryColumn("bypasses") { (summary: DaySummary) in .integer(summary.figures.bypasses) },
        TelemetryColumn("use_minutes") { (summary: DaySummary) in .number(summary.figures.useMinutes) },
        TelemetryColumn("over_minutes") { (summary: DaySummary) in TelemetryValue(summary.figures.overMinutes) },
        TelemetryColumn("streak") { (summary: DaySummary) in .integer(summary.streak) },
    ])
}

extension ScrollKitty {
    /// The rows in the picture of a session that show when something happened, such as losses.
    static let highlights = [
        HighlightDeclaration("bypasses") { (lost: Lost) in "\(lost.app) −\(figure(lost.lost)) HP" },
        HighlightDeclaration("bands") { (lost: Lost) in
            lost.bands.isEmpty ? nil : "below " + lost.bands.map { "\($0)" }.joined(separator: ", ") + " HP"
        },
        HighlightDeclaration("shields back") { (shields: ShieldsBack) in shields.apps.joined(separator: ", ") },
        HighlightDeclaration("days") { (day: DayBegan) in day.date ?? "" },
        HighlightDeclaration("achievements") { (achieved: Achieved) in achieved.achievements.map(\.rawValue).joined(separator: ", ") },
    ]
}

/// Statistics of the days that a household has lived.
struct KittyStatistics: Statistics {
    private var health = Distribution()
    private var use = Distribution()
    private var bypasses = 0
    private var dead = 0
    private var longestStreak = 0
    private var messages: Set<String> = []
    /// The number of openings of shielded apps (bypasses) since the last day ended.
    private var bypassesUnderWay = 0

    mutating func add(_ announcement: Announcement) {
        switch announcement.body {
        case let summary as DaySummary:
            health.record(summary.figures.hp)
            use.record(summary.figures.useMinutes / 60)
            bypasses += summary.figures.bypasses
            if summary.figures.condition == .dead { dead += 1 }
            longestStreak = max(longestStreak, summary.streak)
            bypassesUnderWay = 0
        case is Lost: bypassesUnderWay += 1
        case let message as KittySays: messages.insert(message.id)
        default: break
        }
    }

    var report: StatisticsReport {
        StatisticsReport(
            lines: [
                StatisticsReport.Line("days", "\(health.count) over, \(dead) of them to 0 HP, the longest streak \(longestStreak)"),
                StatisticsReport.Line("bypasses", "\(bypasses) on them"),
                StatisticsReport.Line("day under way", "\(bypassesUnderWay) bypasses; it is in no other figure of days"),
                StatisticsReport.Line("texts", "\(messages.count) different ones"),
            ],
            quantities: [
                StatisticsReport.Quantity("HP at the day's end", health, digits: 0, limit: 100, marks: [40, 80]),
                StatisticsReport.Quantity("use a day, hours", use, digits: 1, limit: 12),
            ])
    }
}
