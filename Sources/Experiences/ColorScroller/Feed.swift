/// The endless row of cards. The face of a card is computed from the seed, from the skins that were unlocked when the card was generated,
/// and from the cards on which new skins were put. Only these are stored, so that a long session stays small.
struct Feed: Codable, Equatable, Sendable {
    /// The number of cards that are always generated beyond the card that is shown.
    static let ahead = 12
    /// The probability that a card without a new skin carries a skin that is already unlocked. All others are grey, so that colour stays an
    /// event.
    static let recurrence = 0.5
    /// How many of the unlocked skins, the newest first, may appear again on cards. The number is larger than that of the skins in the
    /// catalogue and its palettes. In a visit of hours, interventions unlock many more skins, but must not make a card slower to compute.
    static let recurring = 128

    /// A new skin, and the card that carries it.
    private struct Placement: Codable, Equatable {
        var index: Int
        var skin: Int
    }

    /// A stretch of the feed that begins with card `index`. On its cards, the skins that were unlocked first may appear again: `unlocked`
    /// of them.
    private struct Epoch: Codable, Equatable {
        var index: Int
        var unlocked: Int
    }

    private let draws: Draws
    /// The index of the card that is shown.
    private(set) var index = 0
    /// The number of cards that have been generated.
    private(set) var generated = 0
    /// The new skins that were put on cards, in the order of the cards.
    private var placements: [Placement] = []
    /// The stretches of the feed, in the order of their first cards.
    private var epochs: [Epoch] = []

    init(seed: UInt64, _ collection: Collection, _ tuning: Tuning) {
        draws = Draws(seed, for: .cards)
        noteUnlocks(collection)
        generate(collection, tuning)
    }

    /// Makes card `index` the one that is shown. It must have been generated.
    mutating func show(_ index: Int) { self.index = index }

    /// Generates the cards that are missing up to `ahead` cards beyond the shown one.
    mutating func generate(_ collection: Collection, _ tuning: Tuning) {
        while generated <= index + Self.ahead {
            let chance = Discovery.chance(at: generated, after: collection, tuning)
            if draw(generated, .new) < chance, let skin = newSkin(at: generated, collection) {
                placements.append(Placement(index: generated, skin: skin))
            }
            generated += 1
        }
    }

    /// Records how many skins of `collection` are unlocked now. Cards that are generated from now on may carry them again.
    mutating func noteUnlocks(_ collection: Collection) {
        if epochs.last?.unlocked == collection.unlocked.count { return }
        if epochs.last?.index == generated { epochs.removeLast() }
        epochs.append(Epoch(index: generated, unlocked: collection.unlocked.count))
    }

    /// Puts the new skin with the number `skin` on card `index`, in place of any skin that the card has.
    mutating func put(_ skin: Int, on index: Int) {
        let position = placements.lastIndex { $0.index < index }.map { $0 + 1 } ?? 0
        if position < placements.count, placements[position].index == index {
            placements[position].skin = skin
        } else {
            placements.insert(Placement(index: index, skin: skin), at: position)
        }
    }

    /// Returns the number of the skin that card `index` carries; nil for a grey card and for the leaderboard.
    func skin(at index: Int, _ collection: Collection) -> Int? {
        if let placement = placements.last(where: { $0.index <= index }), placement.index == index { return placement.skin }
        guard index >= Discovery.firstCommon(collection.course), draw(index, .recurring) < Self.recurrence,
              let epoch = epochs.last(where: { $0.index <= index }) else { return nil }
        let known = collection.unlocked.prefix(epoch.unlocked).suffix(Self.recurring)
        return pick(known, CardWeights.colored, draw(index, .which), at: index, collection)
    }

    func card(at index: Int, _ collection: Collection) -> Card {
        if index == 0 { return Card(index: 0, face: .leaderboard) }
        if let number = skin(at: index, collection) { return Card(index: index, face: .skin(collection[number])) }
        // Neither black nor white, which would look like a screen that is off, or broken.
        return Card(index: index, face: .gray(Color(gray: UInt8(32 + 192 * draw(index, .gray)))))
    }

    /// Returns the locked skins that the machine may put on card `index` as a gift (an intervention). As long as commons or rares of the
    /// catalogue are among them, skins of palettes are left out.
    func candidates(at index: Int, _ collection: Collection) -> [Int] {
        let all = allCandidates(at: index, collection)
        guard all.contains(where: { collection.isOfCatalog($0) && collection.rarity(of: $0) != .special }) else { return all }
        return all.filter { collection.isOfCatalog($0) }
    }

    /// Returns the locked skins that are allowed on card `index`, except those that another card ahead of the shown one carries already.
    private func allCandidates(at index: Int, _ collection: Collection) -> [Int] {
        let waiting = placements.reversed().prefix { $0.index > self.index }
        return collection.numbersFromFirstLocked.filter { number in
            collection.isLocked(number) && Discovery.allows(collection.rarity(of: number), at: index, after: collection)
                && !waiting.contains { $0.skin == number }
        }
    }

    /// Whether card `index` carries a skin that was put there as a new one.
    func hasNewSkin(at index: Int) -> Bool { placements.last { $0.index <= index }?.index == index }

    /// Draws a new skin for card `index`; nil where no skin is allowed on it. Commons and rares of the catalogue come before skins of
    /// palettes. But a fraction of the new skins is of a fresh palette, so that visitors soon see the palette that was made of their
    /// behaviour.
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

    /// Draws a new skin when no common or rare of the catalogue is allowed. The special of a fresh palette comes before all other specials,
    /// and as often as commons and rares together, so that it is found while the palette is fresh.
    private func pickLate(_ candidates: [Int], _ which: Double, at index: Int, _ collection: Collection) -> Int? {
        func isSpecial(_ number: Int) -> Bool { collection.rarity(of: number) == .special }
        guard candidates.contains(where: { isSpecial($0) && collection.isFresh($0, at: index) }) else {
            return pick(candidates, CardWeights.colored, which, at: index, collection)
        }
        let early = candidates.filter { !isSpecial($0) || collection.isFresh($0, at: index) }
        return pick(early, CardWeights.withFreshSpecial, which, at: index, collection)
    }

    /// Draws one of `numbers`: first a rarity by `weight` among the rarities that occur, then a skin of that rarity by the skin's own
    /// weight. `draw` is a random number, 0…1.
    private func pick(_ numbers: some RandomAccessCollection<Int>, _ weight: (Rarity) -> Double, _ draw: Double, at index: Int,
                      _ collection: Collection) -> Int? {
        // The number of skins of each rarity. Nothing is allocated, because many a card is drawn by this.
        var counts = InlineArray<3, Int>(repeating: 0)
        for number in numbers { counts[collection.rarity(of: number).index] += 1 }
        var all = 0.0
        var last: Rarity?
        for rarity in Rarity.allCases where counts[rarity.index] > 0 {
            all += weight(rarity)
            last = rarity
        }
        var left = draw * all
        for rarity in Rarity.allCases where counts[rarity.index] > 0 {
            guard left >= weight(rarity), rarity != last else {
                return pick(numbers, rarity, left, of: weight(rarity), at: index, collection)
            }
            left -= weight(rarity)
        }
        return nil
    }

    /// Draws one of those `numbers` that are of `rarity`, by the skins' own weights. `draw` is a random number from 0 to `all`.
    private func pick(_ numbers: some RandomAccessCollection<Int>, _ rarity: Rarity, _ draw: Double, of all: Double, at index: Int,
                      _ collection: Collection) -> Int? {
        let sum = numbers.reduce(0.0) { sum, number in
            collection.rarity(of: number) == rarity ? sum + collection.weight(of: number, at: index) : sum
        }
        var left = draw * (sum / all)
        var last: Int?
        for number in numbers where collection.rarity(of: number) == rarity {
            left -= collection.weight(of: number, at: index)
            if left < 0 { return number }
            last = number
        }
        return last
    }

    private enum Question: Int { case new, which, recurring, gray }

    private func draw(_ index: Int, _ question: Question) -> Double { draws.unit(4 * index + question.rawValue) }
}

/// The cards that have been seen, as stretches without gaps. A visitor usually has one stretch, or a few.
struct SeenBlocks: Codable, Equatable, Sendable {
    private struct Stretch: Codable, Equatable {
        var first: Int
        var last: Int
    }

    /// The stretches in ascending order. At least one unseen card lies between two stretches.
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
