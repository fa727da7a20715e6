import Experience
import Signals

/// What a household's days were like.
struct UnhookedStatistics: Statistics {
    private var energy = Distribution()
    private var eaten = Distribution()
    private var days = [Condition: Int]()
    private var fed = 0
    private var changes = [Health: Int]()
    private var recoveries = 0
    /// Meals since the last day was over.
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
