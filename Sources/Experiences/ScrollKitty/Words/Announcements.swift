import Calendar
import Experience
import Signals

/// A shielded app was opened, and this is what it has cost.
public struct Lost: AnnouncementBody {
    public var topic: String { "lost" }
    public var app: String
    /// The health that was lost, in HP.
    public var lost: Double
    /// The health that is left, in HP, in the pool or in the app's own share; `of` is its full size.
    public var hp: Double
    public var of: Double
    /// The health of the cat as a whole, in HP.
    public var total: Double
    /// The numbers of HP of the bands into which health fell by this loss, the highest first.
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

/// Apps are shielded again.
public struct ShieldsBack: AnnouncementBody {
    public var topic: String { "shield" }
    public var apps: [String]
    public var text = Words(en: "The shield is back", de: "Der Schild ist wieder da")

    init(apps: [String]) { self.apps = apps }
}

/// A day is over. The figures are from before they are reset. If the program is killed in the milliseconds before the summary is on the
/// disk, it announces the summary again: one with the same household and day is a repetition.
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
    /// The number of whole days between this day and the one before it in the cat's life, during which the machine was off.
    public var daysOff: Int
}

/// Something was achieved for the first time.
public struct Achieved: AnnouncementBody {
    public var topic: String { "streak" }
    public var achievements: [Achievement]
    public var streak: Int
}

/// Returns a number as text, without `.0` if it is whole.
func figure(_ number: Double) -> String { Int(exactly: number).map(String.init) ?? "\(number)" }

/// The cat says something, in its own words.
public struct KittySays: AnnouncementBody {
    public var topic: String { "message" }
    /// The text's id, for instance `band-80-07`.
    public var id: String
    /// The occasion of the message, for instance `band-80`.
    public var group: String
    public var text: Words
}
