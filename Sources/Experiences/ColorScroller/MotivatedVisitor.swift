import Experience
import Signals

/// A visitor with motives that nobody sees: boredom, fatigue, distraction and delight. The pace tells of them only in part, and not of
/// everybody alike, so that neither the place in the visit nor the velocity alone says who is about to leave.
///
/// All numbers are invented. None is measured on people, and what a model learns from such visitors it has learned of an invention.
/// Each card takes the same number of draws, whatever the piece does: with the same seed a visitor has the same luck under every model.
struct MotivatedVisitor: SimulatedVisitor {
    private let character: Character
    private var motives = Motives()
    private var mood = 0.0
    private var draws: SplitMix64
    /// What the visitor had seen by the last card.
    private var seen = (unlocks: 0, interventions: 0)
    private var isGone = false

    init(draws: SplitMix64) {
        var draws = draws
        character = Character(&draws)
        self.draws = draws
    }

    var isEngaged: Bool { motives.weariness < Motives.enough }

    mutating func next(in run: Run, at seconds: Double) -> [VisitorStep] {
        guard let scroller = run.piece as? ColorScroller, !isGone else { return [] }
        let now = scroller.feedState(at: seconds)
        let luck = Luck(&draws)
        motives.pass(
            Motives.Sight(seconds: now.time - scroller.state.began, foundSkin: now.unlockCount > seen.unlocks,
                          interventions: now.interventions - seen.interventions),
            character)
        seen = (now.unlockCount, now.interventions)
        if now.blocksViewed >= Self.fewest, luck.leaving < character.distraction + motives.chanceOfLeaving {
            isGone = true
            return []
        }
        mood = 0.85 * mood + 0.3 * luck.mood
        let isColored = scroller.cards(now.index..<now.index + 1).first?.rarity != nil
        let slowness = character.slowness * Self.factor(mood) * character.slowing(by: motives.weariness)
        var dwell = (isColored ? 1.4 : 0.8) * (0.5 + luck.dwell) * slowness
        if luck.lookUp < Self.lookUp.chance { dwell += Self.lookUp.shortest + Self.lookUp.more * luck.lookUp / Self.lookUp.chance }
        dwell = max(dwell, (now.pausedUntil ?? 0) - now.time)
        return [
            VisitorStep(after: dwell, .touch(Touch(.began))),
            VisitorStep(after: FingerTime.flick(luck.flick), .touch(Touch(.ended))),
            VisitorStep(after: 0, .swipe(Swipe(.up, velocity: (1.5 + 2 * luck.velocity) / slowness))),
        ]
    }

    /// The number of cards that everybody looks at.
    private static let fewest = 5
    /// The chance that somebody looks up from the screen, and for how many seconds.
    private static let lookUp = (chance: 0.01, shortest: 2.0, more: 5.0)

    /// Returns by what the pace is slower: 1 for 0, more above it and less below.
    private static func factor(_ mood: Double) -> Double { mood < 0 ? 1 / (1 - mood) : 1 + mood }
}

extension MotivatedVisitor {
    static let declaration = VisitorDeclaration(
        "motivated", about: "Has hidden motives: is bored, tired, distracted or delighted, and leaves of them; all is invented."
    ) { draws in MotivatedVisitor(draws: draws) }
}

/// One visitor's character, which stays as it is for a visit.
private struct Character {
    /// The ways in which a visitor responds to the machine's gifts.
    enum Answer {
        /// A gift that is found within the next cards is a reason to stay.
        case takesGifts
        /// A gift is nothing to them.
        case ignoresGifts
        /// Whoever offers something wants something: it is a reason to go.
        case feelsPushed
    }

    let answer: Answer
    /// The cards without anything new after which somebody who is not tired has had enough, 18…54.
    let patience: Double
    /// The seconds after which somebody is tired, 90…510.
    let stamina: Double
    /// How much of the boredom a new skin takes away, 0.2…0.8.
    let delight: Double
    /// The chance that a card is the last because of something else, 0.0005…0.0045.
    let distraction: Double
    /// The visitor's slowness beside others', 0.7…1.3.
    let slowness: Double
    /// How much of the motives the pace tells, 0.2…1.
    private let openness: Double
    /// Whether weariness makes the visitor faster, in search of something, and not slower.
    private let isRestless: Bool

    /// Half of all take gifts, three in ten ignore them, two in ten feel pushed; three in ten are restless.
    init(_ draws: inout SplitMix64) {
        let share = draws.unit()
        answer = share < 0.5 ? .takesGifts : share < 0.8 ? .ignoresGifts : .feelsPushed
        patience = 18 + 36 * draws.unit()
        stamina = 90 + 420 * draws.unit()
        delight = 0.2 + 0.6 * draws.unit()
        distraction = 0.0005 + 0.004 * draws.unit()
        slowness = 0.7 + 0.6 * draws.unit()
        openness = 0.2 + 0.8 * draws.unit()
        isRestless = draws.unit() < 0.3
    }

    /// Returns by what weariness makes the pace slower; less than 1 where it makes it faster.
    func slowing(by weariness: Double) -> Double {
        let over = max(0, weariness - 0.2)
        let shown = openness * over * (1 + 2 * over)
        return isRestless ? 1 / (1 + shown) : 1 + 2 * shown
    }
}

/// The motives that make one visitor go on from card to card, or leave.
private struct Motives {
    /// What happened since the card before.
    struct Sight {
        /// Seconds since the visit's start.
        var seconds: Double
        var foundSkin: Bool
        var interventions: Int
    }

    /// The weariness from which on a visitor wants to leave.
    static let enough = 0.5
    /// The weariness from which on the visitor may do so with the next card.
    private static let parting = 0.8

    /// 0 with something new, 1 when the patience is at an end.
    private var boredom = 0.0
    /// 0 at first, 1 when tired, at most 1.5.
    private var fatigue = 0.0
    /// 1 with a new skin, and less from card to card.
    private var delight = 0.0
    /// How much the visitor feels pushed, 0 and up.
    private var pressure = 0.0
    /// The cards on which a gift may still be found.
    private var expects = 0
    /// The cards since the last intervention.
    private var sinceIntervention = 1_000

    /// All motives together: 0 or less for one who is all there, 1 for one who is as good as gone.
    var weariness: Double { boredom + 0.6 * fatigue + pressure - 0.35 * delight }

    /// The chance that the card is the last because of the motives, 0…0.5.
    var chanceOfLeaving: Double {
        let over = max(0, weariness - Self.parting)
        return min(0.5, 0.1 * over + 4 * over * over)
    }

    /// Passes on to the next card.
    mutating func pass(_ sight: Sight, _ character: Character) {
        let tired = min(1.22, sight.seconds / character.stamina)
        fatigue = tired * tired
        delight = sight.foundSkin ? 1 : 0.85 * delight
        boredom += 1 / character.patience
        pressure *= 0.98
        let isContent = weariness < Self.enough
        if sight.interventions > 0 {
            switch character.answer {
            case .takesGifts: expects = 6
            case .ignoresGifts: break
            case .feelsPushed: pressure += 0.25
            }
            // Whoever is content is disturbed, and nobody likes to be asked again at once.
            pressure += (isContent ? 0.08 : 0) + (sinceIntervention < 20 ? 0.1 : 0)
            sinceIntervention = 0
        }
        sinceIntervention += 1
        if sight.foundSkin {
            boredom *= expects > 0 ? 0.1 : 1 - character.delight
            expects = 0
        }
        expects = max(0, expects - 1)
    }
}

/// One card's draws, always as many.
private struct Luck {
    /// 0…1 each.
    let leaving, dwell, velocity, lookUp, flick: Double
    /// A nearly normal deviate: the sum of three uniform draws, with a mean of 0 and a variance of 1.
    let mood: Double

    init(_ draws: inout SplitMix64) {
        leaving = draws.unit()
        dwell = draws.unit()
        velocity = draws.unit()
        lookUp = draws.unit()
        flick = draws.unit()
        mood = 2 * (draws.unit() + draws.unit() + draws.unit() - 1.5)
    }
}
