import Signals

/// The skins there are for this visitor, and which of them are unlocked.
struct Collection: Codable, Equatable, Sendable {
    /// How far apart discoveries lie.
    var course: Course
    /// Made of the visitor's behaviour.
    private var made = Palettes()
    /// Numbers of skins, in the order of unlocking.
    private(set) var unlocked: [Int] = []
    /// By number.
    private var isUnlocked = [Bool](repeating: false, count: Catalog.skins.count)
    private var timesSeen = [Int](repeating: 0, count: Catalog.skins.count)
    /// Of the catalogue's skins that are still locked.
    private var lockedCommons = Catalog.count(.common)
    private var lockedRares = Catalog.count(.rare)
    /// The card on which the last of the catalogue's rares was found; nil before.
    private var raresDone: Int?

    init(on course: Course) { self.course = course }

    /// In the order of making.
    var palettes: [Palette] { made.all }

    /// Of all skins, unlocked or not.
    var count: Int { isUnlocked.count }

    subscript(number: Int) -> Skin {
        let beyond = number - Catalog.skins.count
        return beyond < 0 ? Catalog.skins[number] : palettes[beyond / Palette.size].skins[beyond % Palette.size]
    }

    /// Without a copy of the skin, because it is asked for each skin that there is.
    func rarity(of number: Int) -> Rarity {
        let beyond = number - Catalog.skins.count
        return beyond < 0 ? Catalog.skins[number].rarity : made.all[beyond / Palette.size].skins[beyond % Palette.size].rarity
    }

    func isOfCatalog(_ number: Int) -> Bool { number < Catalog.skins.count }

    /// How likely a skin is beside others of its rarity on card `index`.
    func weight(of number: Int, at index: Int) -> Double { isFresh(number, at: index) ? Palette.boost : 1 }

    /// Whether it is of a palette that is likelier to be found on card `index`: for a hundred cards of the authors' course from its making,
    /// which do not pass before its special may be found, too.
    func isFresh(_ number: Int, at index: Int) -> Bool {
        guard !isOfCatalog(number) else { return false }
        let start = palettes[(number - Catalog.skins.count) / Palette.size].recipe.behaviour.index
        guard let raresDone else { return index >= start }
        return (start..<max(start, raresDone) + course.cards(Palette.boostLength)).contains(index)
    }

    func isLocked(_ number: Int) -> Bool { !isUnlocked[number] }

    var hasAllCommons: Bool { lockedCommons == 0 }
    var hasAllRares: Bool { lockedRares == 0 }

    /// When card `index` is shown.
    mutating func unlock(_ number: Int, at index: Int) {
        guard !isUnlocked[number] else { return }
        isUnlocked[number] = true
        unlocked.append(number)
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
