import Experience
import Fields
import Signals
import Units

extension ColorScroller {
    /// Unlocks a skin that has been seen for the first time: heard, felt and told, and the feed stands still for a moment.
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
            effects.tell(PaletteMade(palette: makePalette(at: time, rare: skin.id)))
        }
        return effects
    }

    /// Makes ten skins of how the visitor behaves now.
    mutating func makePalette(at time: Double, rare: String) -> Palette {
        state.collection.addPalette(Palette.Recipe(behaviour: behaviour(at: time, rare: rare), isFolded: state.tuning.foldsByMood,
                                                   timestamp: state.timeOfDay.start + time))
    }

    /// Tells the newest toast that waits, if its time has come; while others wait, a tick comes for them.
    mutating func tellToast(at time: Double) -> Effects {
        var effects = Effects()
        if let toast = state.toasts.next(at: time, cooldown: state.tuning.toastCooldown) { effects.tell(toast) }
        effects.wake = wake(after: time)
        return effects
    }

    /// Unlocks every skin of the catalogue, and no palette: a palette mirrors somebody's behaviour, and there was none.
    mutating func unlockCatalog() {
        state.collection.unlockCatalog(at: state.feed.index)
        state.feed.noteUnlocks(state.collection)
    }
}

/// The moment for which the feed stands still when a skin is unlocked. The engine holds it: what would move the feed meanwhile does not.
struct Pause: Codable, Equatable, Sendable {
    /// Seconds.
    private static let length = 0.8

    /// The moment of its end, in seconds since the session's start.
    private(set) var end = 0.0

    mutating func begin(at time: Double) { end = time + Self.length }

    func holds(at time: Double) -> Bool { time < end }

    /// The seconds from `time` to `end`, to the millisecond.
    static func remaining(until end: Double, at time: Double) -> Double { ((end - time) * 1_000).rounded() / 1_000 }
}

extension ColorScroller {
    /// Tells whoever tried to move the feed in its pause, and whoever draws, that it stands still.
    func held(at time: Double) -> Effects {
        let held = Held(index: state.feed.index, pausedUntil: state.pause.end, at: time)
        var effects = Effects(result: held.answer)
        effects.tell(held)
        return effects
    }
}

extension Held {
    /// The answer to whoever tried to move the feed.
    var answer: JSONValue {
        .object(["held": .flag(true), "index": .integer(Int64(index)), "pausedUntil": .number(pausedUntil),
                 "pausedFor": .number(pausedFor)])
    }
}

/// The toasts over the feed: none comes before the last one has been read.
struct Toasts: Codable, Equatable, Sendable {
    /// The number of toasts that can wait. The oldest is dropped: its unlock is in the inventory.
    static let most = 3

    /// The moment at which the last toast appeared, in seconds since the session's start.
    private var last: Double?
    /// The toasts that wait, the newest last.
    private var waiting: [Toast] = []

    mutating func add(_ toast: Toast) {
        waiting.append(toast)
        if waiting.count > Self.most { waiting.removeFirst() }
    }

    /// Takes the newest toast, if one may appear at `time`.
    mutating func next(at time: Double, cooldown: Seconds) -> Toast? {
        if let last, time - last < cooldown.rawValue { return nil }
        guard let toast = waiting.popLast() else { return nil }
        last = time
        return toast
    }

    /// The moment at which the next toast may appear, in seconds since the session's start; nil when none waits.
    func due(cooldown: Seconds) -> Double? { waiting.isEmpty ? nil : (last ?? 0) + cooldown.rawValue }
}
