/// All skins that exist for this visitor, and which of them are unlocked.
struct Collection: Codable, Equatable, Sendable {
    /// The course, which sets on which cards skins may appear and how often.
    var course: Course
    /// The palettes that were made of the visitor's behaviour.
    private var made = Palettes()
    /// The numbers of the unlocked skins, in the order of unlocking.
    private(set) var unlocked: [Int] = []
    /// Whether a skin is unlocked, by the skin's number.
    private var isUnlocked = [Bool](repeating: false, count: Catalog.skins.count)
    /// The number of the first locked skin: all skins with lower numbers are unlocked.
    private var unlockedAtStart = 0
    /// The number of views of each skin, by the skin's number.
    private var timesSeen = [Int](repeating: 0, count: Catalog.skins.count)
    /// The number of the catalogue's commons that are still locked.
    private var lockedCommons = Catalog.count(.common)
    /// The number of the catalogue's rares that are still locked.
    private var lockedRares = Catalog.count(.rare)
    /// The index of the card on which the last of the catalogue's rares was unlocked; nil while a rare is locked.
    private var raresDone: Int?

    init(on course: Course) { self.course = course }

    /// The palettes, in the order in which they were made.
    var palettes: [Palette] { made.all }

    /// The number of all skins, both unlocked and locked.
    var count: Int { isUnlocked.count }

    subscript(number: Int) -> Skin {
        let beyond = number - Catalog.skins.count
        return beyond < 0 ? Catalog.skins[number] : palettes[beyond / Palette.size].skins[beyond % Palette.size]
    }

    /// Returns the rarity of a skin without making the skin, because the rarities of all skins are needed often.
    func rarity(of number: Int) -> Rarity {
        let beyond = number - Catalog.rarities.count
        return beyond < 0 ? Catalog.rarities[number] : Palette.rarity(at: beyond % Palette.size)
    }

    func isOfCatalog(_ number: Int) -> Bool { number < Catalog.rarities.count }

    /// Returns the weight of skin `number` in the random choice of a skin for card `index`, among the skins of the same rarity:
    /// `Palette.boost` if its palette is fresh on that card, otherwise 1.
    func weight(of number: Int, at index: Int) -> Double { isFresh(number, at: index) ? Palette.boost : 1 }

    /// Whether skin `number` belongs to a palette that is fresh on card `index`. The skins of a fresh palette are drawn more often.
    ///
    /// A palette is fresh from the card on which it was made. It stays fresh while a rare of the catalogue is locked, because the palette's
    /// special cannot appear before. After that it is fresh for a hundred cards of the authors' course, counted from the card on which it
    /// was made or the last rare was found, whichever is later.
    func isFresh(_ number: Int, at index: Int) -> Bool {
        guard !isOfCatalog(number) else { return false }
        let start = made.all[(number - Catalog.rarities.count) / Palette.size].recipe.behaviour.index
        guard let raresDone else { return index >= start }
        return (start..<max(start, raresDone) + course.cards(Palette.boostLength)).contains(index)
    }

    func isLocked(_ number: Int) -> Bool { !isUnlocked[number] }

    /// The numbers of all skins from the first locked one on. They include all locked skins and, in a long visit, few unlocked ones.
    var numbersFromFirstLocked: Range<Int> { unlockedAtStart..<count }

    var hasAllCommons: Bool { lockedCommons == 0 }
    var hasAllRares: Bool { lockedRares == 0 }

    /// Unlocks a skin when card `index` is shown.
    mutating func unlock(_ number: Int, at index: Int) {
        guard !isUnlocked[number] else { return }
        isUnlocked[number] = true
        unlocked.append(number)
        while unlockedAtStart < count, isUnlocked[unlockedAtStart] { unlockedAtStart += 1 }
        guard isOfCatalog(number) else { return }
        switch Catalog.skins[number].rarity {
        case .common: lockedCommons -= 1
        case .rare:
            lockedRares -= 1
            if lockedRares == 0 { raresDone = index }
        case .special: break
        }
    }

    mutating func unlockCatalog(at index: Int) {
        for number in 0..<Catalog.skins.count { unlock(number, at: index) }
    }

    mutating func see(_ number: Int) { timesSeen[number] += 1 }

    mutating func addPalette(_ recipe: Palette.Recipe) -> Palette {
        isUnlocked += [Bool](repeating: false, count: Palette.size)
        timesSeen += [Int](repeating: 0, count: Palette.size)
        return made.make(recipe)
    }

    var inventory: Inventory {
        Inventory(entries: unlocked.map { Inventory.Entry(skin: self[$0], timesSeen: timesSeen[$0]) })
    }
}
