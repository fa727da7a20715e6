import Experience

// What is to be learned from households; the columns are explained in docs/scrollkitty.md.
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
