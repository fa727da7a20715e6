import Experience
import Signals

/// What a household's days were like.
struct KittyStatistics: Statistics {
    private var health = Distribution()
    private var use = Distribution()
    private var bypasses = 0
    private var dead = 0
    private var longestStreak = 0
    private var messages: Set<String> = []
    /// Bypasses since the last day was over.
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
