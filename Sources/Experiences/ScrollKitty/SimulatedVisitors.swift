import Experience
import Signals
import Units

/// Three kinds of households, which treat the cat differently. Their numbers are guesses, chosen to lie far apart; none was measured.
enum HouseholdProfile: String, CaseIterable, Sendable {
    /// Opens something a few times a day.
    case careful
    /// Opens something by day and more often in the evening, as most people do.
    case usual
    /// Opens something whenever there is a shield, until the cat is dead.
    case restless

    var about: String {
        switch self {
        case .careful: "Opens something a few times a day."
        case .usual: "Opens something by day, and more often in the evening."
        case .restless: "Opens something whenever it can, until the cat is dead."
        }
    }

    /// The mean number of seconds between two looks at the phone, at this hour of the day; nil while the household sleeps.
    func pause(atHour hour: Int) -> Double? {
        switch (self, hour) {
        case (.careful, 8..<22): 5 * 3_600
        case (.usual, 7..<18): 2 * 3_600
        case (.usual, 18..<23): 3_600
        case (.restless, _) where hour >= 7 || hour < 1: 900
        default: nil
        }
    }

    /// The probability that the visitor turns back at the shield.
    var restraint: Double {
        switch self {
        case .careful: 0.5
        case .usual: 0.25
        case .restless: 0.02
        }
    }

    var declaration: VisitorDeclaration { VisitorDeclaration(rawValue, about: about) { KittyVisitor(profile: self, draws: $0) } }
}

/// A visitor who looks at the phone now and then, for months.
private struct KittyVisitor: SimulatedVisitor {
    let profile: HouseholdProfile
    var draws: SplitMix64

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let kitty = run.piece as? ScrollKitty else { return [] }
        func hour(at seconds: Double) -> Int {
            kitty.moment(at: run.now(at: .zero + run.rate.frames(in: Seconds(seconds)))).secondOfDay / 3_600
        }
        var wait = 0.0
        repeat {
            while profile.pause(atHour: hour(at: seconds + wait)) == nil { wait += 3_600 }
            // Waits between half and one and a half of the mean.
            wait += (profile.pause(atHour: hour(at: seconds + wait)) ?? 0) * (0.5 + draws.unit())
        } while draws.unit() < profile.restraint
        let app = draws.pick(kitty.cat.plan.apps)
        return [VisitorStep(after: wait, .action(Action(KittyMove.bypass(app: app))))]
    }
}

/// A visitor who strokes the cat, opens an app and closes it again, for some minutes: a short session with purr, voice and earcons.
struct StrokingVisitor: SimulatedVisitor {
    static let declaration = VisitorDeclaration("stroking", about: "Strokes the cat, opens an app, closes it, and so on, for minutes.") {
        StrokingVisitor(draws: $0)
    }

    var draws: SplitMix64

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let kitty = run.piece as? ScrollKitty else { return [] }
        let now = kitty.moment(at: run.now(at: .zero + run.rate.frames(in: Seconds(seconds))))
        let strokes = [
            VisitorStep(after: 1 + draws.unit(), .touch(Touch(.began))), VisitorStep(after: 4 + 3 * draws.unit(), .touch(Touch(.ended))),
        ]
        let shielded = kitty.cat.plan.apps.indices.filter { kitty.cat.shield(of: $0, at: now) == .shielded }
        // A cat at 0 HP is dead until midnight, and no app can be opened.
        guard !shielded.isEmpty else { return strokes }
        let app = kitty.cat.plan.apps[draws.pick(shielded)]
        return strokes + [
            VisitorStep(after: 1, .action(Action(KittyMove.bypass(app: app)))),
            VisitorStep(after: 3, .action(Action(KittyMove.shield(app: nil)))),
        ]
    }
}
