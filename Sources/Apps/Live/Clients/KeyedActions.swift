import Signals

/// What counts once, while it is found out whether it has: of one key one at a time. Thread: the event loop.
struct KeyedActions {
    /// An action that somebody asks for.
    struct Asked {
        var action: Action
        /// When it happened, by CLOCK_MONOTONIC in nanoseconds; nil for now.
        var stamp: Int64?
        var caller: Caller
        /// Who was there when it was asked: it counts for nobody else.
        var household: String
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

    /// What is to be done when the one that is under way has ended.
    private var waiting: [Place: [() -> Void]] = [:]

    /// Does `turn` now, or when those before it have ended. Each must be followed by `end`.
    mutating func begin(at place: Place, _ turn: @escaping () -> Void) -> Bool {
        guard waiting[place] != nil else {
            waiting[place] = []
            return true
        }
        waiting[place]?.append(turn)
        return false
    }

    /// The one that was under way is over. Returns the next one's turn; nil where nobody waits.
    mutating func end(at place: Place) -> (() -> Void)? {
        guard var turns = waiting[place], !turns.isEmpty else {
            waiting[place] = nil
            return nil
        }
        defer { waiting[place] = turns }
        return turns.removeFirst()
    }
}
