import Calendar
import Experience
import Signals

/// An app was opened anyway, and this is what it has cost.
public struct Lost: AnnouncementBody {
    public var topic: String { "lost" }
    public var app: String
    /// HP.
    public var lost: Double
    /// The pool's, or the app's own, and what that can be at most.
    public var hp: Double
    public var of: Double
    /// The cat's.
    public var total: Double
    /// Crossed by it, from above.
    public var bands: [Int]
    public var text: Words

    init(_ loss: Cat.Loss, _ cat: Cat, _ time: PieceTime) {
        app = cat.plan.apps[loss.app]
        lost = Health.points(loss.lost)
        hp = Health.points(cat.health.left(ofApp: loss.app))
        of = Health.points(cat.health.mostOfApp)
        total = Health.points(cat.health.total)
        bands = loss.bands.map(\.rawValue)
        text = loss.lost == 0 ? Words(en: "Nothing was lost", de: "Nichts verloren")
            : Words(en: "Lost \(figure(lost)) HP", de: "\(figure(lost)) HP verloren")
    }
}

/// Shields stand again.
public struct ShieldsBack: AnnouncementBody {
    public var topic: String { "shield" }
    public var apps: [String]
    public var text = Words(en: "The shield is back", de: "Der Schild ist wieder da")

    init(apps: [String]) { self.apps = apps }
}

/// A day is over, before anything is reset. Whoever is killed in the milliseconds before the disk has it tells it again: household and day
/// say that it is the same.
public struct DaySummary: AnnouncementBody {
    public var topic: String { "summary" }
    public var household: String
    public var figures: DayFigures
    /// Days in a row that ended above 40 HP.
    public var streak: Int

    init(_ figures: DayFigures, of household: String, streak: Int) {
        self.household = household
        self.figures = figures
        self.streak = streak
    }
}

/// A day has begun.
public struct DayBegan: AnnouncementBody {
    public var topic: String { "day" }
    public var day: Int
    public var date: String?
    /// The days between this one and the last that was lived.
    public var daysOff: Int
}

/// Something was achieved for the first time.
public struct Achieved: AnnouncementBody {
    public var topic: String { "streak" }
    public var achievements: [Achievement]
    public var streak: Int
}

/// A number without `.0`.
func figure(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }
