import Signals

/// The skins there are for this visitor, and which of them are unlocked.
struct Collection: Codable, Equatable, Sendable {
    /// Made of the visitor's behaviour, in the order of making.
    private(set) var palettes: [Palette] = []
    /// Numbers of skins, in the order of unlocking.
    private(set) var unlocked: [Int] = []
    /// By number.
    private var isUnlocked = [Bool](repeating: false, count: Catalog.skins.count)
    private var timesSeen = [Int](repeating: 0, count: Catalog.skins.count)
    /// Of the catalogue's skins that are still locked.
    private var lockedCommons = Catalog.count(.common)
    private var lockedRares = Catalog.count(.rare)

    /// Of all skins, unlocked or not.
    var count: Int { isUnlocked.count }

    subscript(number: Int) -> Skin {
        let beyond = number - Catalog.skins.count
        return beyond < 0 ? Catalog.skins[number] : palettes[beyond / Palette.size].skins[beyond % Palette.size]
    }

    func rarity(of number: Int) -> Rarity { self[number].rarity }

    func isOfCatalog(_ number: Int) -> Bool { number < Catalog.skins.count }

    /// How likely a skin is beside others of its rarity on card `index`: one of the catalogue, which the way to the next rarity
    /// leads through, twice as likely as one of a fresh palette.
    func weight(of number: Int, at index: Int) -> Double {
        isOfCatalog(number) ? 2 * Palette.boost : palettes[(number - Catalog.skins.count) / Palette.size].weight(at: index)
    }

    func isLocked(_ number: Int) -> Bool { !isUnlocked[number] }

    var hasAllCommons: Bool { lockedCommons == 0 }
    var hasAllRares: Bool { lockedRares == 0 }

    mutating func unlock(_ number: Int) {
        guard !isUnlocked[number] else { return }
        isUnlocked[number] = true
        unlocked.append(number)
        guard isOfCatalog(number) else { return }
        switch Catalog.skins[number].rarity {
        case .common: lockedCommons -= 1
        case .rare: lockedRares -= 1
        case .special: break
        }
    }

    mutating func unlockCatalog() {
        for number in 0..<Catalog.skins.count { unlock(number) }
    }

    mutating func see(_ number: Int) { timesSeen[number] += 1 }

    mutating func add(_ palette: Palette) {
        palettes.append(palette)
        isUnlocked += [Bool](repeating: false, count: Palette.size)
        timesSeen += [Int](repeating: 0, count: Palette.size)
    }

    var inventory: Inventory {
        Inventory(entries: unlocked.map { Inventory.Entry(skin: self[$0], timesSeen: timesSeen[$0]) })
    }
}
