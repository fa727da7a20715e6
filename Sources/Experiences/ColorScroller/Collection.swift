/// The skins that there are for this visitor, and which of them are unlocked.
struct Collection: Codable, Equatable, Sendable {
    /// How far apart discoveries lie.
    var course: Course
    /// The palettes made of the visitor's behaviour.
    private var made = Palettes()
    /// The numbers of the unlocked skins, in the order of unlocking.
    private(set) var unlocked: [Int] = []
    /// Whether the skin with a number is unlocked.
    private var isUnlocked = [Bool](repeating: false, count: Catalog.skins.count)
    /// The number of skins, from the first on, that are all unlocked.
    private var unlockedAtStart = 0
    /// Views of the skin with a number.
    private var timesSeen = [Int](repeating: 0, count: Catalog.skins.count)
    /// The number of the catalogue's commons that are still locked.
    private var lockedCommons = Catalog.count(.common)
    /// The number of the catalogue's rares that are still locked.
    private var lockedRares = Catalog.count(.rare)
    /// The card on which the last of the catalogue's rares was found; nil before.
    private var raresDone: Int?

    init(on course: Course) { self.course = course }

    /// The palettes in the order of making.
    var palettes: [Palette] { made.all }

    /// The number of all skins, unlocked or not.
    var count: Int { isUnlocked.count }

    subscript(number: Int) -> Skin {
        let beyond = number - Catalog.skins.count
        return beyond < 0 ? Catalog.skins[number] : palettes[beyond / Palette.size].skins[beyond % Palette.size]
    }

    /// The rarity of a skin, without the skin itself, because the rarity is asked for each skin that there is.
    func rarity(of number: Int) -> Rarity {
        let beyond = number - Catalog.rarities.count
        return beyond < 0 ? Catalog.rarities[number] : Palette.rarity(at: beyond % Palette.size)
    }

    func isOfCatalog(_ number: Int) -> Bool { number < Catalog.rarities.count }

    /// How likely a skin is beside others of its rarity on card `index`.
    func weight(of number: Int, at index: Int) -> Double { isFresh(number, at: index) ? Palette.boost : 1 }

    /// Whether a skin is of a palette that is likelier to be found on card `index`: for a hundred cards of the authors' course from the
    /// palette's making, which do not pass before its special may be found, too.
    func isFresh(_ number: Int, at index: Int) -> Bool {
        guard !isOfCatalog(number) else { return false }
        let start = made.all[(number - Catalog.rarities.count) / Palette.size].recipe.behaviour.index
        guard let raresDone else { return index >= start }
        return (start..<max(start, raresDone) + course.cards(Palette.boostLength)).contains(index)
    }

    func isLocked(_ number: Int) -> Bool { !isUnlocked[number] }

    /// The numbers of skins from the first locked one on: all locked ones are among them, and in a long visit few others.
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
