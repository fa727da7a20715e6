import Experience
import Signals
import Units

extension ColorScroller {
    /// A session that shows in one minute what happens in a visit of half an hour. The tone needs only 90 cards for its whole curve. It
    /// stays 14 dB below full scale, because people who play the file have not adjusted the volume of their headphones. New skins come
    /// about three times as often as usual.
    static let demonstration: Demonstration = {
        var theme = Theme.standard
        theme.name = "demonstration"
        theme.toneCurve = ToneCurve(start: Hertz(210), cap: Hertz(1_900), quietest: Decibels(-34), loudest: Decibels(-14), views: 90)
        var knobs = KnobSettings.standard
        (knobs[chanceEarly], knobs[chanceMiddle], knobs[chanceLate]) = (.number(0.5), .number(0.35), .number(0.35))
        // Chance must not spoil the story.
        (knobs[explore], knobs[holdout]) = (.number(0), .number(0))
        let visitor = VisitorDeclaration("minute", about: "Looks, wants more, tires, is given a reward, and is lost.") { draws in
            MinuteVisitor(draws: draws)
        }
        return Demonstration(visitor, theme: theme, knobs: knobs, seed: 1)
    }()
}

/// The simulated visitor of the demonstration, whose visit has four acts.
private struct MinuteVisitor: SimulatedVisitor {
    private enum Act {
        case look, appetite, weariness, rush

        /// Creates the act that is under way `seconds` after the visit's start; nil when the visitor has left by then.
        init?(at seconds: Double) {
            switch seconds {
            case ..<10: self = .look
            case ..<28: self = .appetite
            case ..<40: self = .weariness
            case ..<55: self = .rush
            default: return nil
            }
        }

        /// The rhythm of touches in this act: the seconds for which no finger is on the screen, and then those for which one is.
        var rhythm: (rest: Double, hold: Double) {
            switch self {
            case .look: (0.25, 0.65)
            case .appetite: (0.15, 0.35)
            case .weariness: (0.7, 0.9)
            case .rush: (0.045, 0.12)
            }
        }
    }

    var draws: SplitMix64

    init(draws: SplitMix64) { self.draws = draws }

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let scroller = run.piece as? ColorScroller, let act = Act(at: seconds) else { return [] }
        let now = scroller.feedState(at: seconds)
        // Screen heights per second.
        let velocity: Double = switch act {
        case .look: 1.5
        case .appetite: 3
        // A little slower, and then all but stopped: the model calls for a high intervention at once, and for no moderate one before.
        case .weariness: seconds < 31 ? 2 : 0.15
        case .rush: 8
        }
        let uneven = 0.85 + 0.3 * draws.unit()
        return [
            VisitorStep(after: max(act.rhythm.rest * uneven, (now.pausedUntil ?? 0) - now.time), .touch(Touch(.began))),
            VisitorStep(after: act.rhythm.hold * uneven, .touch(Touch(.ended))),
            VisitorStep(after: 0, .swipe(Swipe(.up, velocity: velocity))),
        ]
    }
}
