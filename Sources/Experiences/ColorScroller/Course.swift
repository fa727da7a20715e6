import Signals
import Units

/// Over how many views a visit's whole way goes: the tone's from its start to its end, and that of discovery, which keeps the authors'
/// proportions of it (10, 55 and 85 of 500).
struct Course: Codable, Equatable, Sendable {
    /// The authors'.
    static let authors = Course(views: 500)
    /// What a course that follows the house's visits may be.
    private static let learned = 60...500
    /// A course is so many times as long as the visit in the middle. By the theme `standard` half of all visitors then hear the tone at
    /// −60 + 54 / 1.6 = −26 dBFS or louder, 10 dB below the chime.
    private static let lengthOfVisits = 1.6
    /// Visits that are looked back on.
    static let memory = 25
    /// Until there are so many, visits of the length that exhibitions are known for stand in: 90 cards in three minutes.
    private static let leastVisits = 5
    private static let typicalVisit = 90
    /// Where chances grow with a shorter course they do not pass this, so that a new skin stays an event.
    private static let likeliest = 0.75

    /// The tone's level is at its end after so many.
    let views: Int

    private init(views: Int) { self.views = views }

    /// By the knob, or by the cards of the house's last visits where the knob says so.
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

    /// As many cards as so many are of the authors' 500, and at least one.
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
