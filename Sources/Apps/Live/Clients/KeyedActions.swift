import Signals

/// Actions that count once, while it is found out whether they have: of one key one at a time. Thread: the event loop.
struct KeyedActions {
    /// An action that somebody asks for.
    struct Asked {
        var action: Action
        /// When it happened, by CLOCK_MONOTONIC in nanoseconds; nil for now.
        var stamp: Int64?
        var caller: Caller
    }

    /// Of a household, or of everybody.
    struct Place: Hashable {
        let key: ActionKey
        let household: String?

        init(_ key: ActionKey, in household: String) {
            self.key = key
            self.household = key.scope == .household ? household : nil
        }
    }

    /// Those who wait for the one that is under way.
    private var waiting: [Place: [Asked]] = [:]

    /// Whether it is its turn. Else it is told to whoever ends the one before it.
    mutating func begin(_ asked: Asked, at place: Place) -> Bool {
        guard waiting[place] != nil else {
            waiting[place] = []
            return true
        }
        waiting[place]?.append(asked)
        return false
    }

    /// The one that was under way is answered. Returns those who have waited, in the order in which they came.
    mutating func end(at place: Place) -> [Asked] { waiting.removeValue(forKey: place) ?? [] }
}
