import Signals

/// What is thrown in, and where.
struct Rewards: Codable, Equatable, Sendable {
    /// From the card that is shown: not the very next, part of which may be seen already.
    private static let nearest = 2
    /// Of the nearest cards that will do.
    private static let choice = 3

    private let draws: Draws
    private var count = 0

    init(seed: UInt64) { draws = Draws(seed, for: .rewards) }

    /// One of the next cards that have not been seen and carry nothing new yet, and a skin for it out of the first of `tiers` that has one
    /// there. Nil when no tier has any.
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
