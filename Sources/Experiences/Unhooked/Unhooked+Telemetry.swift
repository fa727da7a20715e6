import Experience
import Signals

// The tables that telemetry collects from households. docs/unhooked.md explains the columns.
extension Unhooked {
    static let days = TelemetryTable("days", of: "day-over", saysWhen: true, columns: [
        TelemetryColumn("day") { (day: DayOver) in .integer(day.day) },
        TelemetryColumn("used_minutes") { (day: DayOver) in day.usedMinutes.map { .integer($0) } ?? .unknown },
        TelemetryColumn("limit_minutes") { (day: DayOver) in .integer(day.limitMinutes) },
        TelemetryColumn("energy") { (day: DayOver) in .integer(day.energy) },
        TelemetryColumn("eaten") { (day: DayOver) in .integer(day.eaten) },
        TelemetryColumn("fed") { (day: DayOver) in .flag(day.isFed) },
        TelemetryColumn("buff") { (day: DayOver) in .number(day.buff) },
        TelemetryColumn("condition") { (day: DayOver) in .word(day.condition.rawValue) },
        TelemetryColumn("unfed_days") { (day: DayOver) in .integer(day.unfedDays) },
    ])

    static let meals = TelemetryTable("food", of: "meal", saysWhen: true, columns: [
        TelemetryColumn("day") { (meal: Meal) in .integer(meal.day) },
        TelemetryColumn("food") { (meal: Meal) in .word(meal.food) },
        TelemetryColumn("species") { (meal: Meal) in .word(meal.species.rawValue) },
        TelemetryColumn("energy") { (meal: Meal) in .integer(meal.energy) },
        TelemetryColumn("eaten") { (meal: Meal) in .integer(meal.eaten) },
        TelemetryColumn("fullness") { (meal: Meal) in .integer(meal.fullness) },
        TelemetryColumn("mood") { (meal: Meal) in .integer(meal.mood) },
        TelemetryColumn("fed") { (meal: Meal) in .flag(meal.isFed) },
    ])

    static let purchases = TelemetryTable("purchases", of: "purchase", saysWhen: true, columns: [
        TelemetryColumn("day") { (bought: Bought) in .integer(bought.day) },
        TelemetryColumn("cosmetic") { (bought: Bought) in .word(bought.cosmetic) },
        TelemetryColumn("category") { (bought: Bought) in .word(bought.category.rawValue) },
        TelemetryColumn("energy") { (bought: Bought) in .integer(bought.energy) },
        TelemetryColumn("gems") { (bought: Bought) in .integer(bought.gems) },
    ])

    static let gems = TelemetryTable("gems", of: "gems", saysWhen: true, columns: [
        TelemetryColumn("day") { (bought: GemsBought) in .integer(bought.day) },
        TelemetryColumn("product") { (bought: GemsBought) in .word(bought.product) },
        TelemetryColumn("gems") { (bought: GemsBought) in .integer(bought.gems) },
        TelemetryColumn("refund") { (bought: GemsBought) in .flag(bought.isRefund) },
    ])

    static let recoveries = TelemetryTable("recoveries", of: "recovery", saysWhen: true, columns: [
        TelemetryColumn("day") { (it: Recovered) in .integer(it.day) },
        TelemetryColumn("recovery") { (it: Recovered) in .word(it.recovery.rawValue) },
        TelemetryColumn("gems") { (it: Recovered) in .integer(it.gems) },
        TelemetryColumn("unfed_days") { (it: Recovered) in .integer(it.unfedDays) },
        TelemetryColumn("stage") { (it: Recovered) in .word(it.stage.rawValue) },
    ])

    static let events = TelemetryTable("events", of: "tracked", saysWhen: true, columns: [
        TelemetryColumn("day") { (it: Tracked) in .integer(it.day) },
        TelemetryColumn("event") { (it: Tracked) in .word(it.name) },
        TelemetryColumn("value") { (it: Tracked) in TelemetryValue(it.value) },
    ])

    static let healthChanges = TelemetryTable("health", of: "health", saysWhen: true, columns: [
        TelemetryColumn("day") { (change: HealthChange) in .integer(change.day) },
        TelemetryColumn("health") { (change: HealthChange) in .word(change.health.rawValue) },
        TelemetryColumn("age") { (change: HealthChange) in .integer(change.age) },
        TelemetryColumn("unfed_days") { (change: HealthChange) in .integer(change.unfedDays) },
    ])
}

extension Unhooked {
    /// The rows in the picture of a session that show when something happened, such as meals.
    static let highlights = [
        HighlightDeclaration("meals") { (meal: Meal) in "\(meal.food) −\(meal.energy) Energy" },
        HighlightDeclaration("purchases") { (bought: Bought) in bought.cosmetic },
        HighlightDeclaration("Gems") { (gems: GemsBought) in (gems.isRefund ? "−" : "+") + "\(gems.gems)" },
        HighlightDeclaration("health") { (change: HealthChange) in change.text.en },
        HighlightDeclaration("recoveries") { (recovered: Recovered) in recovered.recovery.rawValue },
        HighlightDeclaration("good days") { (treated: Treated) in "\(treated.goodDays)" },
        HighlightDeclaration("growth") { (grew: Grew) in grew.stage.rawValue },
        HighlightDeclaration("days") { (over: DayOver) in (over.date.map { $0 + " " } ?? "") + "+\(over.energy) Energy" },
    ]
}

/// Statistics of the days that a household has lived.
struct UnhookedStatistics: Statistics {
    private var energy = Distribution()
    private var eaten = Distribution()
    private var days = [Condition: Int]()
    private var fed = 0
    private var changes = [Health: Int]()
    private var recoveries = 0
    /// The number of meals since the last day ended.
    private var mealsUnderWay = 0

    mutating func add(_ announcement: Announcement) {
        switch announcement.body {
        case let day as DayOver:
            energy.record(Double(day.energy))
            eaten.record(Double(day.eaten))
            days[day.condition, default: 0] += 1
            if day.isFed { fed += 1 }
            mealsUnderWay = 0
        case is Meal: mealsUnderWay += 1
        case let change as HealthChange: changes[change.health, default: 0] += 1
        case is Recovered: recoveries += 1
        default: break
        }
    }

    var report: StatisticsReport {
        let conditions = Condition.allCases.map { "\(days[$0, default: 0]) \($0.rawValue)" }.joined(separator: ", ")
        return StatisticsReport(
            lines: [
                StatisticsReport.Line("days", "\(energy.count) over, fed on \(fed): \(conditions)"),
                StatisticsReport.Line("day under way", "\(mealsUnderWay) meals; it is in no other figure of days"),
                StatisticsReport.Line("health", "fell sick \(changes[.sick, default: 0]) times, "
                    + "recovered \(changes[.healthy, default: 0]), died \(changes[.dead, default: 0]); healed by Gems \(recoveries)"),
            ],
            quantities: [
                StatisticsReport.Quantity("Energy earned a day", energy, digits: 0, limit: 150, marks: [100]),
                StatisticsReport.Quantity("Energy eaten a day", eaten, digits: 0, limit: 300, marks: [100]),
            ])
    }
}
