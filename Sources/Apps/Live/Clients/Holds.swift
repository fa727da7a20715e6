import Signals

/// Knows when each finger that is down, and each tone that a client holds, gave its last sign of life. A finger gives one by moving, a tone
/// when its holder sets it again. A client listed here may hold nothing any more: only the run knows. Thread: the event loop.
struct Holds {
    private struct Hold: Hashable {
        var client: Client
        /// The finger's number; nil for the tone.
        var finger: Int?
    }

    /// How many fingers a client may have down: as many as a person has. More would take those of others, of which there are 64.
    static let mostFingers = 10

    /// Clients that may hold so many fingers together, and leave the others to the rest.
    struct Group {
        let most: Int
        /// How many of them only clients may take that hold less than two: who has done less is served first.
        var keptForFew = 0
        let has: (Client) -> Bool

        fileprivate func hasRoom(held: Int, byOne own: Int) -> Bool { held < (own < 2 ? most : most - keptForFew) }
    }

    /// The moment of each hold's last sign, CLOCK_MONOTONIC in nanoseconds.
    private var signs: [Hold: Int64] = [:]

    /// Follows an event that has been acted on.
    mutating func follow(_ event: Event, at now: Int64) {
        switch event.kind {
        case .touch(let touch):
            let finger = Hold(client: event.client, finger: touch.finger)
            switch touch.phase {
            case .began: signs[finger] = now
            case .moved: if signs[finger] != nil { signs[finger] = now }
            case .ended: signs[finger] = nil
            }
        case .tone(let request):
            let tone = Hold(client: event.client)
            if request.on == false { signs[tone] = nil } else if request.on == true || signs[tone] != nil { signs[tone] = now }
        case .left: forget(event.client)
        case .stop: signs = [:]
        default: break
        }
    }

    /// Forgets what a client held.
    mutating func forget(_ client: Client) { signs = signs.filter { $0.key.client != client } }

    /// Forgets all holds: the session is over.
    mutating func end() { signs = [:] }

    /// Returns whether a client, which is in all of `groups`, may put down one more finger, or has this one down already.
    func hasRoom(for finger: Int, of client: Client, in groups: [Group] = []) -> Bool {
        if signs[Hold(client: client, finger: finger)] != nil { return true }
        let own = fingers(of: { $0 == client })
        return own < Self.mostFingers && groups.allSatisfy { $0.hasRoom(held: fingers(of: $0.has), byOne: own) }
    }

    private func fingers(of has: (Client) -> Bool) -> Int { signs.keys.count { $0.finger != nil && has($0.client) } }

    /// Returns the clients that hold something without a sign of life since `moment`, in ascending order.
    func clients(silentSince moment: Int64) -> [Client] {
        Set(signs.lazy.filter { $0.value <= moment }.map(\.key.client)).sorted()
    }
}
