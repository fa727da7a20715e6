import Experience
import Signals

/// The rule of when the machine steps in.
struct Interventions: Codable, Equatable, Sendable {
    /// The values of P(churn) from which on the machine steps in.
    struct Thresholds: Equatable, Sendable {
        var moderate: Double
        var high: Double

        static let standard = Thresholds(moderate: 0.55, high: 0.70)
    }

    /// The cards viewed before the first intervention, at least: without them there is no pace to know anybody by.
    static let first = 5
    /// The cards viewed after an intervention on which there is no other; but a high one comes through the cooldown of a moderate one.
    static let cooldown = 12

    private struct Last: Codable, Equatable {
        /// The cards that had been viewed.
        var viewed: Int
        var strength: Intervention.Strength
    }

    private(set) var count = 0
    private var last: Last?

    /// Decides whether to step in at the `viewed`th card, and how. With a decision to step in the cooldown begins.
    mutating func decide(_ churn: Double, viewed: Int, _ thresholds: Thresholds = .standard) -> Intervention.Strength? {
        guard churn >= min(thresholds.moderate, thresholds.high) else { return nil }
        let strength: Intervention.Strength = churn >= thresholds.high ? .high : .moderate
        if let last, viewed <= last.viewed + Self.cooldown, last.strength == .high || strength == .moderate { return nil }
        last = Last(viewed: viewed, strength: strength)
        count += 1
        return strength
    }
}

extension ColorScroller {
    /// Gives a visitor who seems about to leave a reason to stay.
    mutating func intervene(_ strength: Intervention.Strength, _ churn: Double, at time: Double) -> Effects {
        let gift = give(at: time)
        let taunt = strength == .high ? state.rivals.taunt(viewed: state.blocksViewed, hour: state.timeOfDay.hour(at: time)) : nil
        var effects = Effects(cues: [.haptic("surprise")] + (strength == .high ? [.chime("ding")] : []))
        if let palette = gift.palette { effects.tell(PaletteMade(palette: palette)) }
        effects.tell(Intervention(strength, pChurn: churn, reward: gift.card, taunt: taunt))
        return effects
    }
}

/// The draws of what is thrown in, and where.
struct Rewards: Codable, Equatable, Sendable {
    /// The distance from the card that is shown: not the very next, part of which may be seen already.
    private static let nearest = 2
    /// The number of the nearest fitting cards among which one is drawn.
    private static let choice = 3

    private let draws: Draws
    private var count = 0

    init(seed: UInt64) { draws = Draws(seed, for: .rewards) }

    /// Picks one of the next cards that have not been seen and carry nothing new yet, and a skin for it out of the first of `tiers` that
    /// has one there. Returns nil when no tier has any.
    mutating func pick(_ feed: Feed, _ seen: SeenBlocks, _ collection: Collection, _ tiers: [(Skin) -> Bool]) -> (index: Int, skin: Int)? {
        let first = max(feed.index + Self.nearest, Discovery.firstCommon(collection.course))
        let unseen = (first..<max(first, feed.generated)).filter { !seen.contains($0) }
        let free = unseen.filter { !feed.hasNewSkin(at: $0) }
        let places = (free.isEmpty ? unseen : free).prefix(Self.choice).map { (index: $0, skins: feed.candidates(at: $0, collection)) }
        for tier in tiers {
            let choice = places.map { (index: $0.index, skins: $0.skins.filter { tier(collection[$0]) }) }.filter { !$0.skins.isEmpty }
            if let place = pick(choice), let skin = pick(place.skins) { return (place.index, skin) }
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
    /// Puts a locked skin on one of the next cards: a rare or a special where one may be found, or else a common. When nothing is left, a
    /// palette is made of the behaviour now, and the rarest of its skins that may be found is thrown in.
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
