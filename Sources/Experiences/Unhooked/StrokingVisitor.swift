import Calendar
import Experience
import Signals
import Units

/// Strokes the pet and feeds it for two days, and then only strokes it: with days of a minute a short session, in which the pet is heard
/// well, eating and sick.
struct StrokingVisitor: SimulatedVisitor {
    static let declaration = VisitorDeclaration("stroking", about: "Strokes the pet each day, and feeds it on the first two.") {
        StrokingVisitor(draws: $0)
    }

    /// The number of days, from the first, on which the pet is fed.
    private static let fed = 2

    private var draws: SplitMix64
    private var visits = 0
    /// The day of the last one, by the pet's clock.
    private var day: Int?

    init(draws: SplitMix64) { self.draws = draws }

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let unhooked = run.piece as? Unhooked else { return [] }
        let now = unhooked.moment(at: run.now(at: .zero + run.rate.frames(in: Seconds(seconds))))
        // Once a day, soon after it has begun.
        let wait = day == now.dayNumber ? unhooked.time.realSeconds(Moment.day - now.secondOfDay) : 0
        day = now.dayNumber + (day == now.dayNumber ? 1 : 0)
        visits += 1
        var moves = [UnhookedMove.report(minutes: unhooked.home.limit / 5)]
        // With what was earned on the days before.
        if visits <= Self.fed + 1 {
            moves = UserProfile.restrained.moves(unhooked.home, unhooked.configuration, &draws, key: "visit-\(visits)")
        }
        return [VisitorStep(after: wait + 1, .touch(Touch(.began))), VisitorStep(after: 4 + 2 * draws.unit(), .touch(Touch(.ended)))]
            + moves.map { VisitorStep(after: 1, .action(Action($0))) }
    }
}
