import Experience
import Fields
import Signals
import Units

extension ColorScroller {
    /// Unlocks a skin when the visitor first sees it. The cues and announcements let the visitor hear, feel and see that, and the feed
    /// stands still for 0.8 s.
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

    /// Makes a palette of the visitor's behaviour at `time`.
    mutating func makePalette(at time: Double, rare: String) -> Palette {
        state.collection.addPalette(Palette.Recipe(behaviour: behaviour(at: time, rare: rare), isFolded: state.tuning.foldsByMood,
                                                   timestamp: state.timeOfDay.start + time))
    }

    /// Announces the newest waiting toast, if enough time has passed since the last one. If more toasts wait, asks for a tick.
    mutating func tellToast(at time: Double) -> Effects {
        var effects = Effects()
        if let toast = state.toasts.next(at: time, cooldown: state.tuning.toastCooldown) { effects.tell(toast) }
        effects.wake = wake(after: time)
        return effects
    }

    /// Unlocks every skin of the catalogue, but no palette, because a palette is made of a visitor's behaviour.
    mutating func unlockCatalog() {
        state.collection.unlockCatalog(at: state.feed.index)
        state.feed.noteUnlocks(state.collection)
    }
}

/// The pause after an unlock, for which the feed stands still. The engine enforces it: nothing moves the feed during this time.
struct Pause: Codable, Equatable, Sendable {
    /// The length of a pause, in seconds.
    private static let length = 0.8

    /// The time at which the pause ends, in seconds since the session's start.
    private(set) var end = 0.0

    mutating func begin(at time: Double) { end = time + Self.length }

    func holds(at time: Double) -> Bool { time < end }

    /// Returns the seconds from `time` to `end`, rounded to a millisecond. Both are in seconds since the session's start.
    static func remaining(until end: Double, at time: Double) -> Double { ((end - time) * 1_000).rounded() / 1_000 }
}

extension ColorScroller {
    /// Answers a client that tried to move the feed while it stands still, and announces that nothing has moved.
    func held(at time: Double) -> Effects {
        let held = Held(index: state.feed.index, pausedUntil: state.pause.end, at: time)
        var effects = Effects(result: held.answer)
        effects.tell(held)
        return effects
    }
}

extension Held {
    /// The answer to a client that tried to move the feed while it stands still.
    var answer: JSONValue {
        .object(["held": .flag(true), "index": .integer(Int64(index)), "pausedUntil": .number(pausedUntil),
                 "pausedFor": .number(pausedFor)])
    }
}

/// The toasts over the feed. A toast does not appear before the last one could be read.
struct Toasts: Codable, Equatable, Sendable {
    /// The largest number of toasts that wait. If there are more, the oldest is dropped; its skin is in the inventory all the same.
    static let most = 3

    /// The time at which the last toast appeared, in seconds since the session's start; nil before the first.
    private var last: Double?
    /// The toasts that wait, the newest last.
    private var waiting: [Toast] = []

    mutating func add(_ toast: Toast) {
        waiting.append(toast)
        if waiting.count > Self.most { waiting.removeFirst() }
    }

    /// Takes the newest waiting toast from the list. Returns nil when none waits, or when the last one appeared less than `cooldown` before
    /// `time`.
    mutating func next(at time: Double, cooldown: Seconds) -> Toast? {
        if let last, time - last < cooldown.rawValue { return nil }
        guard let toast = waiting.popLast() else { return nil }
        last = time
        return toast
    }

    /// The time from which the next toast may appear, in seconds since the session's start; nil when none waits.
    func due(cooldown: Seconds) -> Double? { waiting.isEmpty ? nil : (last ?? 0) + cooldown.rawValue }
}
