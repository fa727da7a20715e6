import Experience
import Signals
import Units

/// Three ways to live with the pet. The numbers are guesses of how such households behave, made to lie far apart; none is measured.
enum UserProfile: String, CaseIterable, Sendable {
    /// Well below the limit, and never without food for the pet.
    case restrained
    /// Stays around the limit, and forgets the pet at times.
    case wavering
    /// Far above the limit on most days.
    case hooked

    /// When they look after the pet, in seconds of its day.
    static let evening = 20 * 3_600

    var about: String {
        switch self {
        case .restrained: "Stays well below the limit and feeds the pet every day."
        case .wavering: "Is around the limit and forgets the pet now and then."
        case .hooked: "Is far above the limit on most days."
        }
    }

    /// What part of the limit a day uses.
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

    /// What they do on an evening: report the day, heal with the Gems there are, and feed what they can afford. `key` is the day's.
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
        // Less than a meal would be lost on it.
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

/// Looks after the pet in the evening, for months.
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
