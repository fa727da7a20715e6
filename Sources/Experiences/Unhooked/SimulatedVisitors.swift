import Calendar
import Experience
import Signals
import Units

/// Three kinds of households, which treat the pet differently. Their numbers are guesses, chosen to lie far apart; none was measured.
enum UserProfile: String, CaseIterable, Sendable {
    /// Stays well below the limit and always has food for the pet.
    case restrained
    /// Stays around the limit, and forgets the pet at times.
    case wavering
    /// Is far above the limit on most days.
    case hooked

    /// The time of the pet's day at which a household looks after it, in seconds.
    static let evening = 20 * 3_600

    var about: String {
        switch self {
        case .restrained: "Stays well below the limit and feeds the pet every day."
        case .wavering: "Is around the limit and forgets the pet now and then."
        case .hooked: "Is far above the limit on most days."
        }
    }

    /// Draws at random how much of the limit a day uses, as a fraction of it.
    private func ratio(_ draws: inout SplitMix64) -> Double {
        switch self {
        case .restrained: 0.1 + 0.3 * draws.unit()
        case .wavering: 0.2 + 0.9 * draws.unit()
        case .hooked: 0.6 + 1.2 * draws.unit()
        }
    }

    /// The probability that the pet is forgotten on a day.
    private var forgets: Double {
        switch self {
        case .restrained: 0
        case .wavering: 0.15
        case .hooked: 0.3
        }
    }

    /// Returns the actions of an evening: the household reports the day, heals the pet if there are enough Gems, and feeds it as long as
    /// there is enough Energy. Each action's idempotency key begins with `key`, which must differ from day to day.
    func moves(_ home: Home, _ configuration: Unhooked.Configuration, _ draws: inout SplitMix64, key: String) -> [UnhookedMove] {
        let minutes = Int((ratio(&draws) * Double(home.limit)).rounded())
        var moves = [UnhookedMove.report(minutes: min(minutes, UnhookedMove.minutes.upperBound))]
        let gems = home.books.wallet(.gems)
        switch home.pet.health {
        case .healthy: break
        case .sick: if gems >= configuration.recovery.cure.gems { moves.append(.cure(key: key + "-cure")) }
        case .dead:
            guard gems >= configuration.recovery.restart.gems else { return moves }
            moves.append(.restart(home.pet.species, name: nil, key: key + "-restart"))
        }
        let menu = configuration.foods.filter { $0.species.includes(home.pet.species) }.sorted { $0.energy < $1.energy }
        var (energy, eaten) = (home.books.wallet(.energy), 0)
        // Less than a meal does not count as fed, so nothing is bought for it.
        guard draws.unit() >= forgets, energy >= Pet.meal else { return moves }
        while eaten < Pet.meal {
            let affordable = menu.filter { $0.energy <= energy }
            let fitting = affordable.filter { $0.energy <= Pet.meal - eaten }
            guard let cheapest = affordable.first else { break }
            let food = fitting.isEmpty ? cheapest : draws.pick(fitting)
            energy -= food.energy
            eaten += food.energy
            moves.append(.feed(food: food.id, key: "\(key)-\(moves.count)"))
        }
        return moves
    }

    var declaration: VisitorDeclaration { VisitorDeclaration(rawValue, about: about) { PetUser(profile: self, draws: $0) } }
}

/// A household that looks after the pet in the evening, for months.
private struct PetUser: SimulatedVisitor {
    let profile: UserProfile
    var draws: SplitMix64
    private var evenings = 0

    init(profile: UserProfile, draws: SplitMix64) {
        self.profile = profile
        self.draws = draws
    }

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let unhooked = run.piece as? Unhooked else { return [] }
        let now = unhooked.moment(at: run.now(at: .zero + run.rate.frames(in: Seconds(seconds)))).secondOfDay
        let wait = now < UserProfile.evening ? UserProfile.evening - now : UserProfile.evening + 86_400 - now
        evenings += 1
        let moves = profile.moves(unhooked.home, unhooked.configuration, &draws, key: "evening-\(evenings)")
        return moves.enumerated().map { index, move in
            VisitorStep(after: index == 0 ? unhooked.time.realSeconds(wait) : 1, .action(Action(move)))
        }
    }
}

/// A visitor who strokes the pet each day, and feeds it on the first two. With days of a minute this is a short session in which the pet is
/// heard healthy, eating and sick.
struct StrokingVisitor: SimulatedVisitor {
    static let declaration = VisitorDeclaration("stroking", about: "Strokes the pet each day, and feeds it on the first two.") {
        StrokingVisitor(draws: $0)
    }

    /// The number of days, from the first, on which the pet is fed.
    private static let fed = 2

    private var draws: SplitMix64
    private var visits = 0
    /// The day of the last visit by the pet's clock; nil before the first.
    private var day: Int?

    init(draws: SplitMix64) { self.draws = draws }

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let unhooked = run.piece as? Unhooked else { return [] }
        let now = unhooked.moment(at: run.now(at: .zero + run.rate.frames(in: Seconds(seconds))))
        // Comes once a day, soon after the day has begun.
        let wait = day == now.dayNumber ? unhooked.time.realSeconds(Moment.day - now.secondOfDay) : 0
        day = now.dayNumber + (day == now.dayNumber ? 1 : 0)
        visits += 1
        var moves = [UnhookedMove.report(minutes: unhooked.home.limit / 5)]
        // Feeds with the Energy that the days before have earned.
        if visits <= Self.fed + 1 {
            moves = UserProfile.restrained.moves(unhooked.home, unhooked.configuration, &draws, key: "visit-\(visits)")
        }
        return [VisitorStep(after: wait + 1, .touch(Touch(.began))), VisitorStep(after: 4 + 2 * draws.unit(), .touch(Touch(.ended)))]
            + moves.map { VisitorStep(after: 1, .action(Action($0))) }
    }
}
