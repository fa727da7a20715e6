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

    /// When a turn is done.
    enum Beginning {
        case now
        /// When those before it have ended.
        case later
        /// Never: too many wait already.
        case full
    }

    /// Turns that may wait behind the one that is under way. A front end asks again for a key after a lost answer, and not more often.
    static let mostWaiting = 16

    /// What is to be done when the one that is under way has ended.
    private var waiting: [Place: [() -> Void]] = [:]

    /// Says when `turn` is done, and keeps it if that is later. Each that is done must be followed by `end`.
    mutating func begin(at place: Place, _ turn: @escaping () -> Void) -> Beginning {
        guard let turns = waiting[place]?.count else {
            waiting[place] = []
            return .now
        }
        guard turns < Self.mostWaiting else { return .full }
        waiting[place]?.append(turn)
        return .later
    }

    /// The one that was under way is over. Returns the next one's turn; nil where nobody waits.
    mutating func end(at place: Place) -> (() -> Void)? {
        guard waiting[place]?.isEmpty == false else {
            waiting[place] = nil
            return nil
        }
        return waiting[place]?.removeFirst()
    }
}
