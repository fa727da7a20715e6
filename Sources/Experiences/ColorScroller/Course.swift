import Signals
import Units

/// The number of views over which a visit's whole way goes: the tone's from its start to its end, and that of discovery, which keeps the
/// authors' proportions (10, 55 and 85 of 500).
struct Course: Codable, Equatable, Sendable {
    /// The course that the authors chose.
    static let authors = Course(views: 500)
    /// The range of a course that follows the house's visits.
    private static let learned = 60...500
    /// A course is so many times as long as the visit in the middle. By the theme `standard` half of all visitors then hear the tone at
    /// −60 + 54 / 1.6 = −26 dBFS or louder, 10 dB below the chime.
    private static let lengthOfVisits = 1.6
    /// The number of visits that are looked back on.
    static let memory = 25
    /// The number of visits below which visits of the length that exhibitions are known for stand in: 90 cards in three minutes.
    private static let leastVisits = 5
    private static let typicalVisit = 90
    /// The chance that a shorter course does not pass, so that a new skin stays an event.
    private static let likeliest = 0.75

    /// The number of views after which the tone's level is at its end.
    let views: Int

    private init(views: Int) { self.views = views }

    /// Goes by the knob, or by the cards of the house's last visits where the knob says so.
    init(_ tuning: Tuning, after visits: [Int]) {
        if let pinned = tuning.course {
            views = pinned
        } else {
            let known = visits.suffix(Self.memory)
            let all = (known + repeatElement(Self.typicalVisit, count: max(0, Self.leastVisits - known.count))).sorted()
            let fitting = (Double(all[all.count / 2]) * Self.lengthOfVisits).rounded()
            views = Int(min(max(fitting, Double(Self.learned.lowerBound)), Double(Self.learned.upperBound)))
        }
    }

    private var stretch: Double { Double(views) / Double(Self.authors.views) }

    /// The number of cards that has the same part of this course as `authors` has of the authors' 500, and at least one.
    func cards(_ authors: Int) -> Int { max(1, Int((Double(authors) * stretch).rounded())) }

    /// The chance of a card that finds as much on this course as `chance` does on the authors'.
    func chance(_ chance: Double) -> Double { min(chance / stretch, max(chance, Self.likeliest)) }

    /// The theme's course of the tone, on this one.
    func curve(_ theme: ToneCurve) -> ToneCurve {
        guard self != .authors else { return theme }
        var before = -1
        return ToneCurve(points: theme.points.map { point in
            before = max(before + 1, Int((Double(point.views) * stretch).rounded()))
            return ToneCurve.Point(views: before, frequency: point.frequency, level: point.level)
        })
    }
}
