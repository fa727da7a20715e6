import Signals

/// When each finger that is down, and each tone that a client has switched on, last gave a sign of life. A finger gives one by moving, a
/// tone when its client sets it again. A finger or tone that is listed here may have ended already: only the run knows. Thread: the event
/// loop.
struct Holds {
    private struct Hold: Hashable {
        var client: Client
        /// The finger's number; nil where the client holds the tone.
        var finger: Int?
    }

    /// The largest number of fingers that a client may have down: as many as a person has. The house has 64 for all clients.
    static let mostFingers = 10

    /// A group of clients that together may hold at most `most` fingers, so that fingers are left for other clients.
    struct Group {
        let most: Int
        /// The number of the group's fingers that are reserved for clients that hold fewer than two.
        var keptForFew = 0
        let has: (Client) -> Bool

        fileprivate func hasRoom(held: Int, byOne own: Int) -> Bool { held < (own < 2 ? most : most - keptForFew) }
    }

    /// The time of the last sign of life of each finger and tone that a client holds; CLOCK_MONOTONIC in nanoseconds.
    private var signs: [Hold: Int64] = [:]

    /// When each client that plays pink noise last switched it on; CLOCK_MONOTONIC in nanoseconds.
    private var noises: [Client: Int64] = [:]

    /// The longest that pink noise plays for a client that does not switch it on again, in nanoseconds.
    static let longestNoise: Int64 = 60_000_000_000

    /// Records that `event` has begun, continued or ended the hold of a finger or tone. Must be called after the event took effect.
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
        case .noise(let level): noises[event.client] = level == nil ? nil : now
        case .left: forget(event.client)
        case .stop: end()
        default: break
        }
    }

    /// Forgets everything that a client held.
    mutating func forget(_ client: Client) {
        signs = signs.filter { $0.key.client != client }
        noises[client] = nil
    }

    /// Forgets all fingers, tones and noise, because they have ended.
    mutating func end() { (signs, noises) = ([:], [:]) }

    /// Whether `client` may put down the finger `finger`, or has it down already. The client belongs to all of `groups`.
    func hasRoom(for finger: Int, of client: Client, in groups: [Group] = []) -> Bool {
        if signs[Hold(client: client, finger: finger)] != nil { return true }
        let own = fingers(of: { $0 == client })
        return own < Self.mostFingers && groups.allSatisfy { $0.hasRoom(held: fingers(of: $0.has), byOne: own) }
    }

    private func fingers(of has: (Client) -> Bool) -> Int { signs.keys.count { $0.finger != nil && has($0.client) } }

    /// Returns, in ascending order, the clients whose pink noise has played for its longest time at `now`.
    func clientsOfLongNoise(at now: Int64) -> [Client] {
        noises.filter { now - $0.value >= Self.longestNoise }.keys.sorted()
    }

    /// Returns, in ascending order, the clients of which a finger or tone has given no sign of life since `moment` (CLOCK_MONOTONIC,
    /// nanoseconds).
    func clients(silentSince moment: Int64) -> [Client] {
        Set(signs.lazy.filter { $0.value <= moment }.map(\.key.client)).sorted()
    }
}
