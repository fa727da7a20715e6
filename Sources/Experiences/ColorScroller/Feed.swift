import Signals

/// The endless row of cards. What a card shows follows from the seed, from what was unlocked when it was generated, and from where
/// new skins were put; only that is kept, so that a long session stays small.
struct Feed: Codable, Equatable, Sendable {
    /// The number of cards that there always are beyond the one that is shown.
    static let ahead = 12
    /// The chance that a card without a new skin carries one that is already unlocked; other cards are grey, so that colour stays an event.
    static let recurrence = 0.5

    /// A skin put on a card for the first time.
    private struct Placement: Codable, Equatable {
        var index: Int
        var skin: Int
    }

    /// The first `unlocked` skins, which may recur from card `index` on.
    private struct Epoch: Codable, Equatable {
        var index: Int
        var unlocked: Int
    }

    private let draws: Draws
    /// The index of the card that is shown.
    private(set) var index = 0
    /// Cards generated so far, from 0.
    private(set) var generated = 0
    /// The placements in the order of their cards.
    private var placements: [Placement] = []
    /// The epochs in the order of their cards.
    private var epochs: [Epoch] = []

    init(seed: UInt64, _ collection: Collection, _ tuning: Tuning) {
        draws = Draws(seed, for: .cards)
        noteUnlocks(collection)
        generate(collection, tuning)
    }

    /// Shows card `index`, which has been generated.
    mutating func show(_ index: Int) { self.index = index }

    /// Generates what is missing ahead.
    mutating func generate(_ collection: Collection, _ tuning: Tuning) {
        while generated <= index + Self.ahead {
            let chance = Discovery.chance(at: generated, after: collection, tuning)
            if draw(generated, .new) < chance, let skin = newSkin(at: generated, collection) {
                placements.append(Placement(index: generated, skin: skin))
            }
            generated += 1
        }
    }

    /// Notes that skins have been unlocked: cards yet to be generated may carry those again.
    mutating func noteUnlocks(_ collection: Collection) {
        if epochs.last?.unlocked == collection.unlocked.count { return }
        if epochs.last?.index == generated { epochs.removeLast() }
        epochs.append(Epoch(index: generated, unlocked: collection.unlocked.count))
    }

    /// Puts a skin on a card, whatever is there.
    mutating func put(_ skin: Int, on index: Int) {
        let place = placements.lastIndex { $0.index < index }.map { $0 + 1 } ?? 0
        if place < placements.count, placements[place].index == index {
            placements[place].skin = skin
        } else {
            placements.insert(Placement(index: index, skin: skin), at: place)
        }
    }

    /// The number of the skin that card `index` carries; nil when the card is grey, or the leaderboard.
    func skin(at index: Int, _ collection: Collection) -> Int? {
        if let placement = placements.last(where: { $0.index <= index }), placement.index == index { return placement.skin }
        guard index >= Discovery.firstCommon(collection.course), draw(index, .recurring) < Self.recurrence,
              let epoch = epochs.last(where: { $0.index <= index }) else { return nil }
        return pick(collection.unlocked.prefix(epoch.unlocked), CardWeights.colored, draw(index, .which), at: index, collection)
    }

    func card(at index: Int, _ collection: Collection) -> Card {
        if index == 0 { return Card(index: 0, face: .leaderboard) }
        if let number = skin(at: index, collection) { return Card(index: index, face: .skin(collection[number])) }
        // Neither black nor white, which would look like a screen that is off, or broken.
        return Card(index: index, face: .gray(Color(gray: UInt8(32 + 192 * draw(index, .gray)))))
    }

    /// The skins that may be thrown in on card `index`: the catalogue's commons and rares before those of palettes.
    func candidates(at index: Int, _ collection: Collection) -> [Int] {
        let all = allCandidates(at: index, collection)
        guard all.contains(where: { collection.isOfCatalog($0) && collection.rarity(of: $0) != .special }) else { return all }
        return all.filter { collection.isOfCatalog($0) }
    }

    /// The skins that may be new at card `index`, and wait on no card ahead.
    private func allCandidates(at index: Int, _ collection: Collection) -> [Int] {
        let waiting = placements.reversed().prefix { $0.index > self.index }
        return (0..<collection.count).filter { number in
            collection.isLocked(number) && Discovery.allows(collection.rarity(of: number), at: index, after: collection)
                && !waiting.contains { $0.skin == number }
        }
    }

    /// Whether a skin waits on card `index`, put there for the first time.
    func hasNewSkin(at index: Int) -> Bool { placements.contains { $0.index == index } }

    /// Draws a new skin for card `index`: the catalogue's commons and rares come before palettes, but for a share of new skins, because
    /// whoever has made a palette is to see it soon.
    private func newSkin(at index: Int, _ collection: Collection) -> Int? {
        let which = draw(index, .which)
        let all = allCandidates(at: index, collection)
        let first = all.filter { collection.isOfCatalog($0) && collection.rarity(of: $0) != .special }
        guard !first.isEmpty else { return pickLate(all, which, at: index, collection) }
        let fresh = all.filter { collection.isFresh($0, at: index) }
        let share = fresh.isEmpty ? 0 : Palette.earlyShare
        return which < share ? pick(fresh, CardWeights.colored, which / share, at: index, collection)
            : pick(first, CardWeights.colored, (which - share) / (1 - share), at: index, collection)
    }

    /// Draws a new skin when none of the catalogue's commons and rares can be placed. A fresh palette's special comes before all other
    /// specials, and as often as commons and rares together: it is to be found before the palette is old.
    private func pickLate(_ candidates: [Int], _ which: Double, at index: Int, _ collection: Collection) -> Int? {
        func isSpecial(_ number: Int) -> Bool { collection.rarity(of: number) == .special }
        guard candidates.contains(where: { isSpecial($0) && collection.isFresh($0, at: index) }) else {
            return pick(candidates, CardWeights.colored, which, at: index, collection)
        }
        let early = candidates.filter { !isSpecial($0) || collection.isFresh($0, at: index) }
        return pick(early, CardWeights.withFreshSpecial, which, at: index, collection)
    }

    /// Picks one of `numbers`: first a rarity by the weights of those there are, then a skin of that rarity by its own. `draw` is 0…1.
    private func pick(_ numbers: some RandomAccessCollection<Int>, _ weights: [Rarity: Double], _ draw: Double, at index: Int,
                      _ collection: Collection) -> Int? {
        let rarities = Rarity.allCases.filter { rarity in numbers.contains { collection.rarity(of: $0) == rarity } }
        var left = draw * rarities.reduce(0) { $0 + (weights[$1] ?? 0) }
        for rarity in rarities {
            let weight = weights[rarity] ?? 0
            guard left >= weight, rarity != rarities.last else {
                let same = numbers.filter { collection.rarity(of: $0) == rarity }
                left *= same.reduce(0) { $0 + collection.weight(of: $1, at: index) } / weight
                return pick(same, within: left, at: index, collection)
            }
            left -= weight
        }
        return nil
    }

    /// Picks one of `numbers` by weight; `draw` is 0 to the sum of their weights.
    private func pick(_ numbers: [Int], within draw: Double, at index: Int, _ collection: Collection) -> Int? {
        var left = draw
        for number in numbers {
            left -= collection.weight(of: number, at: index)
            if left < 0 { return number }
        }
        return numbers.last
    }

    private enum Question: Int { case new, which, recurring, gray }

    private func draw(_ index: Int, _ question: Question) -> Double { draws.unit(4 * index + question.rawValue) }
}

/// The cards that have been seen, as stretches without gaps: a visitor has one, or a few.
struct SeenBlocks: Codable, Equatable, Sendable {
    private struct Stretch: Codable, Equatable {
        var first: Int
        var last: Int
    }

    /// The stretches in ascending order, with at least one card between two.
    private var stretches: [Stretch] = []
    private(set) var count = 0

    func contains(_ index: Int) -> Bool {
        guard let before = stretches.last(where: { $0.first <= index }) else { return false }
        return index <= before.last
    }

    mutating func insert(_ index: Int) {
        let before = stretches.lastIndex { $0.first <= index }
        if let before, index <= stretches[before].last { return }
        count += 1
        let after = before.map { $0 + 1 } ?? 0
        let joinsBefore = before.map { stretches[$0].last + 1 == index } ?? false
        let joinsAfter = after < stretches.count && stretches[after].first == index + 1
        switch (joinsBefore, joinsAfter) {
        case (true, true): stretches[after - 1].last = stretches.remove(at: after).last
        case (true, false): stretches[after - 1].last = index
        case (false, true): stretches[after].first = index
        case (false, false): stretches.insert(Stretch(first: index, last: index), at: after)
        }
    }
}
