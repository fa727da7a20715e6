import Signals

/// What is thrown in, and where.
struct Rewards: Codable, Equatable, Sendable {
    /// From the card that is shown: the next few, but not the very next, part of which may be seen already.
    private static let reach = 2...4

    private let draws: Draws
    private var count = 0

    init(seed: UInt64) { draws = Draws(seed, for: .rewards) }

    /// One of the next few cards that have not been seen, and a skin for it: a rare or a special where one may be found, or else a
    /// common. Nil when there is nothing to be had.
    mutating func pick(after index: Int, _ feed: Feed, _ seen: SeenBlocks, _ collection: Collection) -> (index: Int, skin: Int)? {
        let places = Self.reach.map { index + $0 }.filter { !seen.contains($0) }
            .map { (index: $0, skins: feed.candidates(at: $0, collection)) }
        let better = places.map { (index: $0.index, skins: $0.skins.filter { collection.rarity(of: $0) != .common }) }
            .filter { !$0.skins.isEmpty }
        let choice = better.isEmpty ? places.filter { !$0.skins.isEmpty } : better
        guard let place = pick(choice), let skin = pick(place.skins) else { return nil }
        return (place.index, skin)
    }

    private mutating func pick<Element>(_ choice: [Element]) -> Element? {
        guard !choice.isEmpty else { return nil }
        count += 1
        return choice[draws.below(choice.count, count)]
    }
}

extension ColorScroller {
    /// Puts a locked skin on one of the next cards. Returns that card; nil when there is none, or nothing to put on it.
    mutating func throwIn() -> Card? {
        guard let reward = state.rewards.pick(after: state.feed.index, state.feed, state.seen, state.collection) else { return nil }
        state.feed.put(reward.skin, on: reward.index)
        return state.feed.card(at: reward.index, state.collection)
    }
}
