import Experience
import Signals

extension ColorScroller {
    /// The feed should stand still for so long, in seconds.
    private static let unlockPause = 0.8

    /// A locked skin has been seen for the first time.
    mutating func unlock(_ number: Int, at time: Double) -> Effects {
        state.collection.unlock(number)
        state.feed.noteUnlocks(state.collection)
        state.viewsAtUnlock = state.blocksViewed
        state.pausedUntil = time + Self.unlockPause
        let skin = state.collection[number]
        var effects = Effects(cues: [.chime("unlock"), .haptic("unlock")])
        effects.tell(Unlocked(skin: skin, index: state.feed.index, pausedUntil: state.pausedUntil))
        if state.toasts.admit(at: time, cooldown: state.tuning.toastCooldown) {
            effects.tell(Toast(rarity: skin.rarity, name: skin.name))
        }
        if skin.rarity == .rare, state.collection.isOfCatalog(number) {
            let palette = Palette(behaviour(at: time, rare: skin.id), ordinal: state.collection.palettes.count + 1)
            state.collection.add(palette)
            effects.tell(PaletteMade(seed: palette.seed, skins: palette.skins))
        }
        return effects
    }

    /// Every skin of the catalogue, without a word: a palette mirrors somebody's behaviour, and there was none.
    mutating func unlockCatalog() {
        state.collection.unlockCatalog()
        state.feed.noteUnlocks(state.collection)
    }
}
