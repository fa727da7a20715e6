import Experience
import Signals

/// Three ways to go through a feed. The numbers are guesses, chosen to lie far apart. None was measured, except the time for which a finger
/// is down.
public enum VisitorProfile: String, CaseIterable, Sendable {
    /// Looks at cards, longer at coloured ones, and sometimes goes back to one.
    case curious
    /// Slows down the longer there is nothing new.
    case bored
    /// Flicks without looking.
    case frantic

    /// What a simulated visitor sees of a card when deciding how long to stay on it.
    struct Situation {
        var isColored: Bool
        /// The number of views since the last new skin.
        var drought: Int
    }

    /// Returns the seconds for which the visitor stays on a card. `draw` is a random number, 0…1.
    func dwell(_ situation: Situation, _ draw: Double) -> Double {
        switch self {
        case .curious: (situation.isColored ? 1.4 : 0.8) * (0.5 + draw)
        case .bored: 1.2 * (1 + 0.08 * Double(min(situation.drought, 40))) * (0.5 + draw)
        case .frantic: 0.12 + 0.25 * draw
        }
    }

    /// Returns the velocity of a swipe in screen heights per second. `draw` is a random number, 0…1.
    func velocity(_ situation: Situation, _ draw: Double) -> Double {
        switch self {
        case .curious: 1.5 + 2 * draw
        case .bored: (1.2 + draw) / (1 + 0.05 * Double(min(situation.drought, 40)))
        case .frantic: 5 + 6 * draw
        }
    }

    /// The probability that a swipe goes back to the card before.
    var regret: Double {
        switch self {
        case .curious: 0.06
        case .bored: 0.02
        case .frantic: 0.01
        }
    }
}

extension VisitorProfile {
    var declaration: VisitorDeclaration {
        VisitorDeclaration(rawValue, about: about) { draws in FeedVisitor(profile: self, draws: draws) }
    }

    private var about: String {
        switch self {
        case .curious: "Looks at cards, longer at coloured ones, and sometimes goes back to one."
        case .bored: "Slows down the longer there is nothing new."
        case .frantic: "Flicks without looking."
        }
    }
}

/// A simulated visitor who goes from card to card: looks at a card, puts a finger down, and flicks.
private struct FeedVisitor: SimulatedVisitor {
    let profile: VisitorProfile
    var draws: SplitMix64

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let scroller = run.piece as? ColorScroller else { return [] }
        let now = scroller.feedState(at: seconds)
        let isColored = scroller.cards(now.index..<now.index + 1).first?.rarity != nil
        let situation = VisitorProfile.Situation(isColored: isColored, drought: now.rewardDrought)
        let dwell = max(profile.dwell(situation, draws.unit()), (now.pausedUntil ?? 0) - now.time)
        let velocity = profile.velocity(situation, draws.unit())
        let direction: Swipe.Direction = now.index > 0 && draws.unit() < profile.regret ? .down : .up
        return [
            VisitorStep(after: dwell, .touch(Touch(.began))),
            VisitorStep(after: FingerTime.flick(draws.unit()), .touch(Touch(.ended))),
            VisitorStep(after: 0, .swipe(Swipe(direction, velocity: velocity))),
        ]
    }
}
