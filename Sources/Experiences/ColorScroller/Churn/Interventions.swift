import Experience
import Signals

/// The rule that says when the machine may step in: give a visitor who seems about to leave a reason to stay.
struct Interventions: Codable, Equatable, Sendable {
    /// The lowest values of the model's prediction that call for a moderate and for a high intervention.
    struct Thresholds: Equatable, Sendable {
        var moderate: Double
        var high: Double

        /// The thresholds in log-odds: ln(0.55 / 0.45) and ln(0.7 / 0.3), as Python's `math.log` computes them.
        static let logOdds = Thresholds(moderate: 0.20067069546215124, high: 0.8472978603872037)
        /// The thresholds of `logOdds` as probabilities.
        static let probabilities = Thresholds(moderate: 0.55, high: 0.70)

        func action(for value: Double) -> MachineAction { value >= high ? .high : value >= moderate ? .moderate : .none }
    }

    /// The number of viewed cards from which on the machine may step in. After fewer cards the visitor's usual pace is not known.
    static let first = 5

    /// Returns the cooldown of an intervention: how many cards must be viewed after it before another one is allowed. After a moderate
    /// intervention it is short, because a visitor who loses interest is gone within a dozen cards, and a high intervention must come
    /// before that.
    static func cooldown(after strength: Intervention.Strength) -> Int {
        switch strength {
        case .moderate: 8
        case .high: 40
        }
    }

    private struct Last: Codable, Equatable {
        /// The number of cards that had been viewed at the last intervention.
        var viewed: Int
        var strength: Intervention.Strength
    }

    private(set) var count = 0
    private var last: Last?

    /// Whether the machine may step in after `viewed` views of cards, that of the shown card included.
    func mayStepIn(at viewed: Int) -> Bool {
        guard viewed >= Self.first else { return false }
        guard let last else { return true }
        return viewed > last.viewed + Self.cooldown(after: last.strength)
    }

    /// Records an intervention after `viewed` views of cards. Its cooldown begins.
    mutating func stepIn(_ strength: Intervention.Strength, at viewed: Int) {
        last = Last(viewed: viewed, strength: strength)
        count += 1
    }
}

extension ColorScroller {
    /// Returns what the machine does at the card that is shown now. `logOdds` is the model's prediction: the log-odds that the visitor is
    /// about to leave.
    func decide(_ logOdds: Double) -> Decision {
        let chosen = Interventions.Thresholds.logOdds.action(for: logOdds)
        let isHeldOut = state.exploration.isHeldOut
        var decision = Decision(model: model.name, margin: logOdds, isEligible: false, isHeldOut: isHeldOut, action: .none, propensity: 1,
                                chosen: chosen)
        guard !isHeldOut, state.interventions.mayStepIn(at: state.blocksViewed) else { return decision }
        decision.isEligible = true
        (decision.action, decision.propensity) = state.exploration.action(insteadOf: chosen, at: state.blocksViewed,
                                                                          rate: state.tuning.explore)
        return decision
    }

    /// Carries out an intervention that was decided: gives the visitor a reason to stay.
    mutating func intervene(_ strength: Intervention.Strength, _ decision: Decision, at time: Double) -> Effects {
        state.interventions.stepIn(strength, at: state.blocksViewed)
        let gift = give(at: time)
        let taunt = strength == .high ? state.rivals.taunt(viewed: state.blocksViewed, hour: state.timeOfDay.hour(at: time)) : nil
        var effects = Effects(cues: [.haptic("surprise")] + (strength == .high ? [.chime("ding")] : []))
        if let palette = gift.palette { effects.tell(PaletteMade(palette: palette)) }
        effects.tell(Intervention(strength, pChurn: LogOdds.probability(of: decision.margin), explored: decision.isExplored,
                                  reward: gift.card, taunt: taunt))
        return effects
    }
}

/// Draws which skin an intervention gives, and on which card.
struct Rewards: Codable, Equatable, Sendable {
    /// The smallest distance from the shown card to a card that gets a skin. A part of the very next card may already be seen.
    private static let nearest = 2
    /// The number of the nearest suitable cards from which one is drawn.
    private static let choice = 3

    private let draws: Draws
    private var count = 0

    init(seed: UInt64) { draws = Draws(seed, for: .rewards) }

    /// Draws one of the next cards that have not been seen, and a skin for it. Cards that carry no new skin yet are preferred. The skin is
    /// of the first of `tiers` that has one for any of these cards. Returns nil when no tier has any.
    mutating func pick(_ feed: Feed, _ seen: SeenBlocks, _ collection: Collection, _ tiers: [(Skin) -> Bool]) -> (index: Int, skin: Int)? {
        let first = max(feed.index + Self.nearest, Discovery.firstCommon(collection.course))
        let unseen = (first..<max(first, feed.generated)).filter { !seen.contains($0) }
        let free = unseen.filter { !feed.hasNewSkin(at: $0) }
        let cards = (free.isEmpty ? unseen : free).prefix(Self.choice).map { (index: $0, skins: feed.candidates(at: $0, collection)) }
        for tier in tiers {
            let choice = cards.map { (index: $0.index, skins: $0.skins.filter { tier(collection[$0]) }) }.filter { !$0.skins.isEmpty }
            if let card = pick(choice), let skin = pick(card.skins) { return (card.index, skin) }
        }
        return nil
    }

    private mutating func pick<Element>(_ choice: [Element]) -> Element? {
        guard !choice.isEmpty else { return nil }
        count += 1
        return choice[draws.below(choice.count, count)]
    }
}

extension ColorScroller {
    /// Puts a locked skin on one of the next cards: a rare or a special if one is allowed there, else a common. If no skin is left, makes a
    /// palette of the visitor's behaviour now, and puts the rarest of its skins that is allowed on a card. `card` is nil where no card gets
    /// a skin, and `palette` is nil where none was made.
    mutating func give(at time: Double) -> (card: Card?, palette: Palette?) {
        if let card = put([{ $0.rarity != .common }, { $0.rarity == .common }]) { return (card, nil) }
        let palette = makePalette(at: time, rare: Palette.gift)
        let own = Set(palette.skins.map(\.id))
        let card = put(Rarity.allCases.reversed().map { rarity in { $0.rarity == rarity && own.contains($0.id) } })
        return (card, palette)
    }

    private mutating func put(_ tiers: [(Skin) -> Bool]) -> Card? {
        guard let reward = state.rewards.pick(state.feed, state.seen, state.collection, tiers) else { return nil }
        state.feed.put(reward.skin, on: reward.index)
        return state.feed.card(at: reward.index, state.collection)
    }
}

/// The random part of the machine's actions. It makes it possible to measure the effect of interventions.
///
/// At times an action is drawn by chance instead of being chosen by the model. Some visits are held out: they get no intervention. The
/// telemetry records the probability of each action, so that another policy can be judged by visits that were played with this one.
struct Exploration: Codable, Equatable, Sendable {
    private let draws: Draws
    /// Whether the visit is held out: drawn by chance as one in which the machine never steps in, for comparison.
    let isHeldOut: Bool

    /// Draws by chance whether the visit is held out, that is, gets no intervention. `holdout` is the probability of that, 0…1.
    init(seed: UInt64, holdout: Double) {
        draws = Draws(seed, for: .exploration)
        isHeldOut = draws.unit(0) < holdout
    }

    /// Returns the machine's action after `viewed` views of cards, and the probability of taking just this action. `chosen` is the action
    /// for which the model calls. With the probability `rate`, one of the three actions is drawn instead, each with the same probability.
    func action(insteadOf chosen: MachineAction, at viewed: Int, rate: Double) -> (MachineAction, propensity: Double) {
        let action = draws.unit(2 * viewed) < rate ? drawn(at: viewed) : chosen
        return (action, rate / 3 + (action == chosen ? 1 - rate : 0))
    }

    private func drawn(at viewed: Int) -> MachineAction {
        switch draws.below(3, 2 * viewed + 1) {
        case 0: .none
        case 1: .moderate
        default: .high
        }
    }
}
