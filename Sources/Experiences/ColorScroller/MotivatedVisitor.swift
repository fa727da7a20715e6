import Experience
import Signals

/// A simulated visitor with hidden motives: boredom, fatigue, distraction and delight. The visitor's pace shows them only in part, and
/// differently for each visitor. So neither the number of cards viewed nor the velocity alone shows who is about to leave.
///
/// All numbers are invented, and none was measured on people. So a model that learns from such visitors learns an invention. Each card
/// takes the same number of random draws, whatever the piece does: with the same seed, a visitor has the same luck under every model.
struct MotivatedVisitor: SimulatedVisitor {
    private let character: Character
    private var motives = Motives()
    private var mood = 0.0
    private var draws: SplitMix64
    /// The unlocks and interventions that the visitor had seen up to the last card.
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
        motives.advance(
            Motives.CardExperience(seconds: now.time - scroller.state.began, foundSkin: now.unlockCount > seen.unlocks,
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

    /// The number of cards that every visitor views before they may leave.
    private static let fewest = 5
    /// The probability at each card that the visitor looks up from the screen, the shortest time for which they do, and the largest
    /// addition to it, in seconds.
    private static let lookUp = (chance: 0.01, shortest: 2.0, more: 5.0)

    /// Returns the factor by which a mood makes the pace slower: 1 for 0, more for a mood above 0, less for one below.
    private static func factor(_ mood: Double) -> Double { mood < 0 ? 1 / (1 - mood) : 1 + mood }
}

extension MotivatedVisitor {
    static let declaration = VisitorDeclaration(
        "motivated", about: "Has hidden motives: is bored, tired, distracted or delighted, and leaves of them; all is invented."
    ) { draws in MotivatedVisitor(draws: draws) }
}

/// The properties of one visitor that stay the same during a visit.
private struct Character {
    /// The ways in which a visitor responds to the machine's gifts.
    enum Answer {
        /// A gift that the visitor finds within the next cards is a reason to stay.
        case takesGifts
        /// Gifts mean nothing to the visitor.
        case ignoresGifts
        /// The visitor feels pushed by gifts, which is a reason to leave.
        case feelsPushed
    }

    let answer: Answer
    /// The number of cards without a new skin after which a visitor who is not tired has had enough, 18…54.
    let patience: Double
    /// The number of seconds after which the visitor is tired, 90…510.
    let stamina: Double
    /// The fraction of the boredom that a new skin takes away, 0.2…0.8.
    let delight: Double
    /// The probability, at each card, that the visitor leaves for some other reason, 0.0005…0.0045.
    let distraction: Double
    /// The factor by which this visitor is slower than the average visitor, 0.7…1.3.
    let slowness: Double
    /// The fraction of the motives that the pace shows, 0.2…1.
    private let openness: Double
    /// Whether weariness makes the visitor faster, in search of something new, instead of slower.
    private let isRestless: Bool

    /// Draws a character. Five in ten visitors take gifts, three in ten ignore them, and two in ten feel pushed. Three in ten are restless.
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

    /// Returns the factor by which weariness makes the pace slower. It is below 1 where weariness makes the pace faster.
    func slowing(by weariness: Double) -> Double {
        let over = max(0, weariness - 0.2)
        let shown = openness * over * (1 + 2 * over)
        return isRestless ? 1 / (1 + shown) : 1 + 2 * shown
    }
}

/// The motives by which a visitor goes on or leaves.
private struct Motives {
    /// What the visitor has seen since the card before.
    struct CardExperience {
        /// The seconds since the visit began.
        var seconds: Double
        var foundSkin: Bool
        var interventions: Int
    }

    /// The lowest weariness (sum of motives) at which a visitor no longer likes being there.
    static let enough = 0.5
    /// The lowest weariness at which the visitor's motives may make them leave with the next card.
    private static let parting = 0.8

    /// The boredom: 0 with something new, 1 when the visitor's patience has ended.
    private var boredom = 0.0
    /// The fatigue: 0 at first, 1 when the visitor is tired, at most 1.5.
    private var fatigue = 0.0
    /// The delight: 1 with a new skin, and less from card to card.
    private var delight = 0.0
    /// The degree to which the visitor feels pushed, 0 or more.
    private var pressure = 0.0
    /// The number of cards ahead on which the visitor expects a gift.
    private var expects = 0
    /// The number of cards since the last intervention.
    private var sinceIntervention = 1_000

    /// The sum of all motives, which makes the visitor leave: 0 or less for a visitor who is fully engaged, 1 for one who has practically
    /// left.
    var weariness: Double { boredom + 0.6 * fatigue + pressure - 0.35 * delight }

    /// The probability, 0…0.5, that the motives make the visitor leave at this card.
    var chanceOfLeaving: Double {
        let over = max(0, weariness - Self.parting)
        return min(0.5, 0.1 * over + 4 * over * over)
    }

    /// Updates the motives when the visitor passes on to the next card. `card` says what has happened since the card before.
    mutating func advance(_ card: CardExperience, _ character: Character) {
        let tired = min(1.22, card.seconds / character.stamina)
        fatigue = tired * tired
        delight = card.foundSkin ? 1 : 0.85 * delight
        boredom += 1 / character.patience
        pressure *= 0.98
        let isContent = weariness < Self.enough
        if card.interventions > 0 {
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
        if card.foundSkin {
            boredom *= expects > 0 ? 0.1 : 1 - character.delight
            expects = 0
        }
        expects = max(0, expects - 1)
    }
}

/// The random numbers for one card. Their number is always the same.
private struct Luck {
    /// Uniform random numbers, 0…1.
    let leaving, dwell, velocity, lookUp, flick: Double
    /// A nearly normal random number with a mean of 0 and a variance of 1: the sum of three uniform ones.
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
