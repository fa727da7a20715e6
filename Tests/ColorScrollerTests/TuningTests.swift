@testable import ColorScroller
import Experience
import Signals
import Testing
import Units

@Suite struct TuningTests {
    /// Skins unlocked on the way to card `last`.
    private func newSkins(_ viewer: inout Viewer, until last: Int) -> Int {
        let before = viewer.state.unlockCount
        while viewer.state.index < last { viewer.swipe(after: 0.1, velocity: 20) }
        return viewer.state.unlockCount - before
    }

    @Test func `a chance is that of the cards generated from now on`() throws {
        var viewer = Viewer(seed: 9)
        try viewer.set(ColorScroller.chanceEarly, "1")
        // Those that had been generated before keep theirs.
        #expect(newSkins(&viewer, until: 25) == 10, "the commons, one a card")
        try viewer.set(ColorScroller.chanceMiddle, "1")
        try viewer.set(ColorScroller.chanceLate, "0")
        #expect(newSkins(&viewer, until: 54) == 0)
        // Six rares from card 55 on; the cards after them had been generated before the first of their palettes was made.
        #expect(newSkins(&viewer, until: 84) == 6 + (84 - 55 - 11))
        #expect(newSkins(&viewer, until: 96) == 0)
        try viewer.set(ColorScroller.chanceLate, "1")
        #expect(newSkins(&viewer, until: 116) >= 7)
    }

    @Test func `with no chance there is nothing new but what is thrown in`() throws {
        var viewer = Viewer(seed: 9, knobs: .standard)
        for knob in [ColorScroller.chanceEarly, ColorScroller.chanceMiddle, ColorScroller.chanceLate] { try viewer.set(knob, "0") }
        var rewards = 0
        for _ in 0..<200 {
            viewer.swipe(after: 0.5)
            rewards += viewer.intervention?.reward == nil ? 0 : 1
        }
        #expect(viewer.state.unlockCount <= rewards + 3, "what had been generated before comes, too")
    }

    @Test func `toasts come as often as the cooldown allows`() throws {
        var viewer = Viewer(seed: 9)
        try viewer.set(ColorScroller.chanceEarly, "1")
        try viewer.set(ColorScroller.toastCooldown, "0")
        var toasts = 0, unlocks = 0
        for _ in 0..<17 {
            viewer.swipe(after: 0.2)
            toasts += viewer.toast == nil ? 0 : 1
            unlocks += viewer.unlock == nil ? 0 : 1
        }
        #expect(toasts == unlocks && unlocks >= 5)
        try viewer.set(ColorScroller.toastCooldown, "60")
        while viewer.state.unlockCount < 10 {
            viewer.swipe(after: 0.2)
            #expect(viewer.toasts.isEmpty)
        }
    }

    @Test func `toasts wait for their cooldown, the newest comes first, and at most three wait`() throws {
        var viewer = Viewer(seed: 9)
        try viewer.set(ColorScroller.chanceEarly, "1")
        try viewer.set(ColorScroller.toastCooldown, "7.5")
        var names: [String] = [], told: [String] = []
        while names.count < 7 {
            viewer.swipe(after: 0.9)
            told += viewer.toasts.map(\.name)
            if let unlock = viewer.unlock { names.append(unlock.skin.name) }
        }
        // Nobody does anything any more.
        for _ in 0..<8 {
            viewer.wait(7.5)
            told += viewer.toldMeanwhile.compactMap { ($0.body as? Toast)?.name }
        }
        // The first at once. Seven and a half seconds are eight cards, so the other six are found meanwhile, of which three wait.
        #expect(told == [names[0], names[6], names[5], names[4]])
        #expect(viewer.run.unusedEffects.total == 0)
    }

    @Test func `a cooldown that is turned down lets a toast that waits come at once`() throws {
        var viewer = Viewer(seed: 9)
        try viewer.set(ColorScroller.chanceEarly, "1")
        try viewer.set(ColorScroller.toastCooldown, "60")
        while viewer.state.unlockCount < 3 { viewer.swipe() }
        viewer.wait(5)
        try viewer.set(ColorScroller.toastCooldown, "1")
        #expect(viewer.toast != nil)
        viewer.wait(1.1)
        #expect(viewer.toldMeanwhile.count { $0.body is Toast } == 1)
    }

    @Test func `unlocking all unlocks the catalogue, without a word or a palette`() {
        var viewer = Viewer(seed: 9)
        #expect(viewer.act(.knob(KnobChange("force-unlock-all", .flag(true)))) == [])
        #expect(viewer.state.unlockCount == Catalog.skins.count && viewer.scroller.palettes.isEmpty)
        for _ in 0..<100 {
            viewer.swipe(after: 0.2)
            #expect(viewer.unlock == nil && viewer.palette == nil)
        }
        #expect(viewer.scroller.inventory.entries.contains { $0.skin.rarity == .special && $0.timesSeen > 0 })
    }

    @Test func `a session may begin with all unlocked`() {
        let viewer = Viewer(seed: 9, knobs: KnobSettings(["force-unlock-all": .flag(true)]))
        #expect(viewer.state.unlockCount == Catalog.skins.count)
        #expect(viewer.scroller.cards(10..<13).contains { $0.rarity != nil })
    }

    @Test func `the catalogue is whole`() {
        #expect(Catalog.skins.filter { $0.rarity == .common }.map(\.name)
            == ["Crimson", "Tangerine", "Lemon", "Jade", "Azure", "Violet", "Magenta", "Mint", "Cyan", "Indigo"])
        #expect(Catalog.skins.filter { $0.rarity == .rare }.map(\.name) == ["Sunrise", "Ocean Glass", "Aurora", "Grape Soda", "Lava", "Deep Space"])
        let specials = Catalog.skins.filter { $0.rarity == .special }
        #expect(specials.count >= 12 && Set(specials.map(\.look.kind)) == [.stripes, .dots, .symbols, .emoji])
        #expect(Set(Catalog.skins.map(\.id)).count == Catalog.skins.count)
        #expect(specials.map(\.id).contains("barcode-pop"))
    }

    @Test func `cards seen are counted once, in whatever order they come`() {
        var draws = SplitMix64(seed: 4)
        var seen = SeenBlocks()
        var expected: Set<Int> = []
        for _ in 0..<2000 {
            let index = draws.below(300)
            seen.insert(index)
            expected.insert(index)
            #expect(seen.count == expected.count)
        }
    }
}
