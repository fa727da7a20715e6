import Experience
import Signals

extension ColorScroller {
    /// A locked skin has been seen for the first time.
    mutating func unlock(_ number: Int, at time: Double) -> Effects {
        state.collection.unlock(number, at: state.feed.index)
        state.feed.noteUnlocks(state.collection)
        state.viewsAtUnlock = state.blocksViewed
        state.pause.begin(at: time)
        let skin = state.collection[number]
        var effects = Effects(cues: [.chime("unlock"), .haptic("unlock")])
        effects.tell(Unlocked(skin: skin, index: state.feed.index, pausedUntil: state.pause.end, at: time))
        state.toasts.add(Toast(rarity: skin.rarity, name: skin.name))
        effects += tellToast(at: time)
        if skin.rarity == .rare, state.collection.isOfCatalog(number) {
            effects.tell(PaletteMade(makePalette(at: time, rare: skin.id)))
        }
        return effects
    }

    /// Ten skins of how the visitor behaves now.
    mutating func makePalette(at time: Double, rare: String) -> Palette {
        state.collection.addPalette(Palette.Recipe(behaviour: behaviour(at: time, rare: rare), isFolded: state.tuning.foldsByMood,
                                                   timestamp: state.timeOfDay.start + time))
    }

    /// The newest toast that waits, if its time has come; while others wait, a tick comes for them.
    mutating func tellToast(at time: Double) -> Effects {
        var effects = Effects()
        if let toast = state.toasts.next(at: time, cooldown: state.tuning.toastCooldown) { effects.tell(toast) }
        effects.wake = wake(after: time)
        return effects
    }

    /// Every skin of the catalogue, without a word: a palette mirrors somebody's behaviour, and there was none.
    mutating func unlockCatalog() {
        state.collection.unlockCatalog(at: state.feed.index)
        state.feed.noteUnlocks(state.collection)
    }
}
