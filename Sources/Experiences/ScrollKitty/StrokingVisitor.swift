import Experience
import Signals
import Units

/// Strokes the cat, opens an app and closes it again, for some minutes: a short session in which purr, voice and earcons are heard.
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
        // A cat without health is dead until midnight, and lies still.
        guard !shielded.isEmpty else { return strokes }
        let app = kitty.cat.plan.apps[draws.pick(shielded)]
        return strokes + [
            VisitorStep(after: 1, .action(Action(KittyMove.bypass(app: app)))),
            VisitorStep(after: 3, .action(Action(KittyMove.shield(app: nil)))),
        ]
    }
}
